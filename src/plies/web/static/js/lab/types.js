// @ts-check
/**
 * What the laboratory is told; it mirrors lab_messages.py, which says what each thing means.
 *
 * @typedef {{name: string, kind: "whole" | "number" | "choice", default: string, choices: string[], told: string, least: number | null, most: number | null}} LabOption
 * @typedef {{name: string, title: string, told: string, options: LabOption[], has_windows: boolean, is_growing: boolean, is_for_two: boolean}} LabAlgorithm
 * @typedef {{title: string, told: string, parameters: Record<string, string>}} LabExample
 * @typedef {{algorithms: LabAlgorithm[], estimates: string[], tree: string, examples: LabExample[]}} Laboratory
 * @typedef {"max" | "min" | "player" | "leaf" | "horizon" | "rest"} NodeKind
 * @typedef {{parent: number | null, move: string, label: string, kind: NodeKind, player: number | null, value: string, position: string, hidden: number}} LabNode
 * @typedef {{kind: "enter" | "leaf" | "update" | "drop" | "cut" | "leave", node: number, window: string, value: string, bound: string, child: number | null, told: string, nodes: number, leaves: number, cutoffs: number}} LabStep
 * @typedef {{depth: number | null, steps: LabStep[]}} LabPass
 * @typedef {{node: number, is_new: boolean, values: number[], told: string}} LabSimulation
 * @typedef {"left" | "right" | "best"} Order
 * @typedef {{algorithm: string, options: Record<string, string>, title: string, order: Order, sides: string[], is_whole: boolean, notes: string[], tree: LabNode[], passes: LabPass[], simulations: LabSimulation[], value: string, line: number[], line_text: string, nodes: number, leaves: number, cutoffs: number, all_nodes: number, all_leaves: number, is_complete: boolean, orders: Record<Order, number> | null, is_best_proven: boolean, ordered_text: string}} LabTrace
 *
 * What is asked for; `with` is a second algorithm, or empty.
 * @typedef {{tree: string, game: string, position: string, evaluator: string, algorithm: string, order: Order, with: string, withOrder: Order}} Setting
 *
 * What a drawing shows of a node at some step.
 * @typedef {{state: "new" | "open" | "done" | "cut" | "dropped", window: string, value: string, bound: string, best: number | null, why: string, visits: number, means: number[]}} Look
 *
 * What a drawing shows at some step; `at` is the node where something happens, `recent` the last
 * one below it that was looked at, `range` the least and the most that simulations have given so far.
 * @typedef {{looks: Look[], at: number | null, told: string, kind: string, nodes: number, leaves: number, cutoffs: number, range: [number, number], recent: number | null}} Frame
 *
 * @typedef {{x: number, y: number, width: number}} Place
 */
export {};
