// @ts-check
/** The page of one session: its parts, its news, and what people do. */
import { ApiProblem, get, listen, post, put } from "../api.js";
import { BoardView } from "../board/board.js";
import { CompilingNote } from "../compiling.js";
import { h } from "../dom.js";
import { paragraphs } from "../prose.js";
import { banner, complain, patiently, say, toast } from "../say.js";
import { Bar } from "./bar.js";
import { Controls } from "./controls.js";
import { openDelete } from "./deleting.js";
import { InsidePanel } from "./inside.js";
import { marksOf } from "./marks.js";
import { Moves } from "./moves.js";
import { Seats } from "./seats.js";
import { openSetup } from "./setup.js";
import { openShare } from "./share.js";
import { start } from "./start.js";
import { newsOf, resultOf, statusOf, titleOf } from "./telling.js";
import { capital } from "../words.js";

/** @typedef {import("../types.js").SessionView} SessionView */

export class PlayPage {
  /** @param {HTMLElement} host @param {import("./following.js").Following} state @param {() => void} gone */
  constructor(host, state, gone) {
    this.state = state;
    this.gone = gone;
    this.isFlipped = state.detail.table.board?.style === "checkered" && isOnlySecond(state);
    this.isSending = false;
    this.isLeaving = false; // the game is being deleted here: that it ends is no news
    this.drawn = ""; // the position on the board
    this.asked = ""; // what the server was last asked to look inside
    /** @type {string[]} what has been clicked of a move */
    this.chosen = [];
    const go = (/** @type {number} */ ply) => this.go(ply);
    this.seats = new Seats(state);
    this.moves = new Moves(state, go, state.detail.summary);
    this.bar = new Bar(state);
    const deeds = this.deeds();
    this.inside = new InsidePanel(state, go, deeds.look);
    this.controls = new Controls(state, deeds);
    const pause = () => deeds.pace({ is_paused: true, seconds: state.session.pace.seconds });
    this.compiling = new CompilingNote({ cancel: state.session.role === "owner" ? pause : null });
    this.status = h("p", { class: "status" });
    this.situation = h("p", { class: "soft situation" });
    const boardHost = h("div", { class: "board-host" });
    this.board = new BoardView(boardHost, state.detail.table,
      { announce: say, chosen: (/** @type {string[]} */ clicks) => this.choose(clicks) });
    this.board.flip(this.isFlipped);
    const isColoured = state.detail.table.marks.length > 1 && !this.seats.pieces.isBlackAndWhite;
    host.append(h("div", { class: isColoured ? "play coloured" : "play" },
      h("section", { class: "head", "aria-label": "Game" }, h("h1", null, state.session.title),
        this.seats.element, this.status, this.compiling.element, this.situation),
      h("section", { class: "stage", "aria-label": "Board" }, this.bar.element, boardHost),
      h("section", { class: "side", "aria-label": "Moves and what to do" },
        this.controls.navigation, this.moves.element, this.controls.element,
        this.inside.element, rulesOf(state.detail.rules), this.controls.away)));
    this.pressed = (/** @type {KeyboardEvent} */ event) => this.press(event);
    document.addEventListener("keydown", this.pressed);
    this.socket = listen(`/sessions/${state.session.id}/live?key=${encodeURIComponent(state.key)}`,
      { message: (news) => this.hear(news), state: (now) => this.connection(now) });
    this.render();
  }

  close() {
    document.removeEventListener("keydown", this.pressed);
    this.socket.close();
    this.seats.close();
    this.board.close();
    banner("");
  }

  // News

  /** @param {any} news */
  hear(news) {
    if (news.type === "session") this.take(news.session);
    else if (news.type === "problem") complain(news.error);
    else if (news.type === "values") this.state.values = news.values;
    else if (news.type === "thinking") this.state.thinking = news.thinking;
    else if (news.type === "inside") this.state.inside = news.inside;
    else if (news.type === "compiling") this.wait(news.compiling);
    if (news.type === "thinking") this.seats.think();
    if (news.type !== "session" && this.state.isInside) this.renderInside();
  }

  /** An agent or an analysis waits for the compiler. @param {import("../types.js").Compiling | null} compiling */
  wait(compiling) {
    this.state.compiling = compiling;
    this.renderWaiting();
    this.seats.think();
    if (this.state.isInside) this.inside.render();
  }

  /** @param {SessionView} session */
  take(session) {
    const said = newsOf(this.state, session);
    this.state.take(session);
    this.render();
    say(said);
  }

  /** @param {"open" | "lost"} now */
  async connection(now) {
    if (this.isLeaving) return;
    banner(now === "lost" ? "Connection lost. Trying again …" : "");
    if (now === "open") {
      this.asked = ""; // the server has forgotten
      return this.askInside();
    }
    try {
      this.take(await get(`/sessions/${this.state.session.id}`, this.state.key));
    } catch (problem) {
      if (!(problem instanceof ApiProblem) || problem.status !== 404) return;
      this.close();
      this.gone();
    }
  }

  // Drawing

  render() {
    this.seats.render();
    this.moves.render();
    this.controls.render();
    this.renderWaiting();
    this.status.classList.toggle("yours", this.state.isYourTurn && this.state.isNow);
    this.status.dataset.result = this.state.isNow ? resultOf(this.state) : "";
    document.title = titleOf(this.state);
    this.renderBoard().catch(complain);
    this.askInside();
    this.renderInside();
  }

  renderWaiting() {
    this.status.textContent = statusOf(this.state);
    this.compiling.render(this.state.isGettingReady ? this.state.compiling : null);
  }

  async renderBoard() {
    const { state } = this;
    const { ply } = state;
    const position = await state.position();
    if (ply !== state.ply || position !== state.positions.get(ply)) return; // another one by now
    this.situation.textContent = capital(position.situation);
    const key = `${position.ply}|${position.text}`;
    if (key !== this.drawn) {
      this.drawn = key;
      this.chosen = [];
      this.board.show(position, { animate: true });
    }
    if (state.isYourTurn && state.isNow && !this.isSending) {
      this.board.offer(position.moves, (text) => this.move(text));
    } else {
      this.board.rest();
    }
    this.board.mark(marksOf(state, this.chosen));
  }

  renderInside() {
    this.bar.render(this.isFlipped);
    this.inside.render();
    this.board.mark(marksOf(this.state, this.chosen));
  }

  /** @param {string[]} clicks */
  choose(clicks) {
    this.chosen = clicks;
    if (this.state.isInside) this.board.mark(marksOf(this.state, clicks));
  }

  /** Asks for the analysis of the position that is shown, or for none. */
  askInside() {
    const { isInside, ply } = this.state;
    const wanted = `${isInside}|${isInside ? ply : ""}|${this.socket?.isOpen()}`;
    if (!this.socket?.isOpen() || wanted === this.asked) return;
    if (isInside || this.asked) this.socket.send({ type: "inside", on: isInside, ply });
    this.asked = wanted;
  }

  // Deeds

  /** @param {number} ply */
  go(ply) {
    this.state.go(ply);
    this.render();
  }

  /** @param {string} text */
  async move(text) {
    const { ply } = this.state.session;
    this.isSending = true;
    this.board.rest();
    await this.ask(() => post(this.path("moves"), { ply, move: text, wait: false }, this.state.key));
    this.isSending = false;
    this.render();
  }

  /** @param {string} end */
  path(end) {
    return `/sessions/${this.state.session.id}/${end}`;
  }

  /**
   * Sends something; a game that has moved on is shown as it stands now.
   * @param {() => Promise<any>} send
   */
  async ask(send) {
    try {
      const answer = await send();
      const isNews = answer?.position && (answer.ply >= this.state.session.ply || !this.socket.isOpen());
      if (isNews) this.take(answer);
      return answer;
    } catch (problem) {
      if (problem instanceof ApiProblem && problem.status === 409 && problem.session) {
        this.take(problem.session);
        toast("The game has moved on: this is where it stands now.");
      } else complain(problem);
      return null;
    }
  }

  /** @returns {import("./controls.js").Deeds} */
  deeds() {
    const { state } = this;
    const { key } = state;
    const atPly = () => ({ ply: state.session.ply });
    return {
      go: (ply) => this.go(ply),
      undo: () => this.ask(() => post(this.path("undo"), atPly(), key)),
      resign: () => this.ask(() => post(this.path("resign"), atPly(), key)),
      step: () => this.ask(() => post(this.path("step"), atPly(), key)),
      pace: (pace) => this.ask(() => put(this.path("pace"), pace, key)),
      hint: async () => {
        const giveUp = new AbortController();
        const asked = () => post(this.path("hint"), atPly(), key, giveUp.signal);
        const looking = "Looking for a good move …";
        state.hint = await this.ask(() => patiently(asked(), looking, () => giveUp.abort()));
        if (state.hint) toast(["Hint:", state.hint.move.spoken, state.hint.told && `(${state.hint.told})`].join(" "));
        this.renderInside();
      },
      flip: () => {
        this.isFlipped = !this.isFlipped;
        this.board.flip(this.isFlipped);
        this.bar.render(this.isFlipped);
      },
      look: () => {
        state.isInside = !state.isInside;
        this.render();
      },
      again: () => this.begin({ text: startOf(state) }),
      fromHere: () => this.begin({ copy_of: { session: state.session.id, ply: state.ply } }),
      setUp: () => openSetup({ ...this.same(), text: startOf(state) }).catch(complain),
      share: () => openShare(state).catch(complain),
      away: () => openDelete({ ...state.session, key }, () => { location.hash = "#/"; },
        () => { this.isLeaving = true; }),
    };
  }

  /** The same game and players. */
  same() {
    const { game, seats, clock, pace } = this.state.session;
    return { game, seats: seats.map((seat) => seat.agent), clock, seconds: pace.seconds };
  }

  /** Another session with the same players. @param {Partial<import("../types.js").CreateSession>} how */
  begin(how) {
    return start({ ...this.same(), ...how }).catch(complain);
  }

  /** The arrow keys go through the moves, except where they have another meaning. @param {KeyboardEvent} event */
  press(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const isElsewhere = target.closest?.("input, textarea, select, dialog, .board, summary");
    if (isElsewhere || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const { ply } = this.state;
    const places = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: Infinity };
    const place = places[/** @type {keyof typeof places} */ (event.key)];
    if (place === undefined) return;
    event.preventDefault();
    this.go(place);
  }
}

/** Whether the person here plays just the second seat. @param {import("./following.js").Following} state */
const isOnlySecond = (state) => state.yourSeats.length === 1 && state.yourSeats[0] === 1;

/** Where the session began, "" for the usual start. @param {import("./following.js").Following} state */
const startOf = ({ session, detail }) =>
  session.start === detail.position.text ? "" : session.start;

/** @param {string} rules */
function rulesOf(rules) {
  return rules && h("details", { class: "rules" }, h("summary", null, "Rules of the game"),
    h("div", { class: "prose" }, paragraphs(rules)));
}
