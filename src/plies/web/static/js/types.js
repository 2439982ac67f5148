// @ts-check
/**
 * What crosses the wire; it mirrors messages.py, which says what each thing means.
 *
 * @typedef {{points: Record<string, [number, number]>, lines: [string, string][], style: string, marked: string[]}} BoardShape
 * @typedef {{board: BoardShape | null, marks: string[], glyphs: Record<string, string>, sides: string[]}} Table
 * @typedef {{spec: string, title: string, summary: string, players: number, table: Table, pieces: Record<string, string>, picture: string, problem: string}} GameCard
 * @typedef {{name: string, kind: "whole" | "number" | "yes-no" | "choice" | "text", default: string, choices: string[], told: string}} OptionView
 * @typedef {{text: string, clicks: string[], gone: string[]}} MoveView
 * @typedef {{ply: number, text: string, mover: number | null, pieces: Record<string, string>, moves: MoveView[], last: string[], motions: [string, string][], situation: string, picture: string, board?: BoardShape | null}} PositionView
 * @typedef {{spec: string, name: string, title: string, summary: string, rules: string, players: number, is_zero_sum: boolean, table: Table, options: OptionView[], evaluators: string[], position: PositionView}} GameDetail
 * @typedef {{name: string, agent: string}} Level
 * @typedef {{name: string, summary: string, options: OptionView[]}} AgentKind
 * @typedef {{levels: Level[], learned: Level[], kinds: AgentKind[]}} Opponents
 * @typedef {{credit: number, increment: number}} ClockSetting
 * @typedef {{is_paused: boolean, seconds: number}} Pace
 * @typedef {{game: string, seats?: string[], text?: string, copy_of?: {session: string, ply: number} | null, clock?: ClockSetting | null, is_paused?: boolean, seconds?: number}} CreateSession
 * @typedef {{name: string, agent: string, is_taken: boolean, left: number | null}} SeatView
 * @typedef {{player: number, text: string, spoken: string, told: string, share: number | null, depth: number, nodes: number, seconds: number, line: string[], fault: string}} PlayedView
 * @typedef {{text: string, payoffs: number[], termination: string, reason: string}} EndingView
 * @typedef {{id: string, game: string, title: string, start: string, seats: SeatView[], ply: number, position: PositionView, played: PlayedView[], ending: EndingView | null, pace: Pace, problem: string, clock: ClockSetting | null, is_thinking: boolean, role: "owner" | "player" | "watcher", yours: number[]}} SessionView
 * @typedef {{key: string, invites: string[], session: SessionView}} SessionCreated
 * @typedef {{position: string, game: string}} SessionText
 * @typedef {{text: string, spoken: string, clicks: string[]}} LineMove
 * @typedef {{ply: number, seat: number | null, depth: number, nodes: number, rate: number, seconds: number, told: string, share: number | null, line: LineMove[]}} Thinking
 * @typedef {{text: string, spoken: string, clicks: string[], value: number, told: string, share: number | null}} MoveValue
 * @typedef {{ply: number, is_done: boolean, thinking: Thinking | null, depth: number, values: MoveValue[]}} Inside
 * @typedef {{subject: string, done: number, expected: number, share: number, seconds: number}} Compiling
 * @typedef {{ply: number, move: LineMove, told: string, share: number | null, depth: number, nodes: number}} Hint
 */
export {};
