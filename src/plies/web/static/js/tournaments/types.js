// @ts-check
/**
 * What crosses the wire about tournaments; it mirrors contest_messages.py.
 *
 * @typedef {{name: string, agent: string}} Entrant
 * @typedef {{credit: number, increment: number, per_move: number}} Times
 * @typedef {{name: string, games: string[], agents: Entrant[], kind: string, pairs: number, opening_plies: number, seed: number, clock: Times, rounds: number, challengers: number, elo0: number, elo1: number}} NewContest
 * @typedef {{name: string, meetings: number, pairs: number, games: number}} StageView
 * @typedef {{games: number, is_most: boolean, stages: StageView[], openings: Record<string, number>, agents: Entrant[], workers: number, seconds: number | null, basis: string}} ContestPlan
 * @typedef {{id: string, name: string, kind: string, games: string[], agents: number, played: number, total: number, is_most: boolean, state: "running" | "stopped" | "finished", begun: string, problem: string}} ContestCard
 * @typedef {{tournaments: ContestCard[], may_start: boolean}} ContestList
 * @typedef {{name: string, elo: number | null, error: number | null, low: number | null, high: number | null, share: number, points: number, games: number, won: number, drawn: number, lost: number, seconds: number | null, nodes: number | null, faults: number}} StandingView
 * @typedef {{agent: number, other: number, share: number, points: number, games: number, won: number, drawn: number, lost: number}} CellView
 * @typedef {{title: string, columns: string[], rows: string[][]}} TableView
 * @typedef {{number: number, game: string, seats: string[], points: number[], plies: number, termination: string}} GameRow
 * @typedef {{id: string, name: string, kind: string, games: string[], agents: Entrant[], state: "running" | "stopped" | "finished", problem: string, played: number, total: number, is_most: boolean, left: number | null, standings: StandingView[], cells: CellView[], tables: TableView[], remarks: string[], warnings: string[], latest: GameRow[], settings: [string, string][]}} ContestView
 * @typedef {{games: GameRow[], left_out: number}} GameList
 * @typedef {{number: number, game: string, title: string, table: import("../types.js").Table, seats: string[], result: string, positions: import("../types.js").PositionView[], played: import("../types.js").PlayedView[]}} ReplayView
 * @typedef {{name: string, title: string, remark: string, svg: string}} ChartView
 * @typedef {{games: number, charts: ChartView[]}} Charts
 */
export {};
