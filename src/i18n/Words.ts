import type { MarkdownWords } from './MarkdownWords.js'

/** Words of a conversation's frame: the list, its ends and its messages. */
export interface ConversationWords {
  /** Names the list for assistive technology. */
  readonly label: string
  /** The person, where a message carries no name. */
  readonly you: string
  /** The agent, where a message carries no name. */
  readonly assistant: string
  /** Stands above an empty conversation. */
  readonly greeting: string
  /** Names the list of suggestions. */
  readonly suggestions: string
  /** While stored messages are fetched for the first time. */
  readonly loading: string
  /** Stored messages could not be fetched. */
  readonly historyFailed: string
  /** Fetches messages before the oldest shown. */
  readonly loadOlder: string
  /** While they are fetched. */
  readonly loadingOlder: string
  /** Scrolls to the end and follows it. */
  readonly jumpToLatest: string
  /** Before the first word of an answer has come. */
  readonly waiting: string
  /** Stands for a block of a kind that this version does not know. */
  readonly unknownBlock: string
  /** A message or block could not be drawn. */
  readonly brokenBlock: string
  /** Parts of a reply were lost on the way, and are not here yet. */
  readonly incomplete: string
  /** The person's message is on its way. */
  readonly sending: string
  /** The person's message did not reach the server. */
  readonly sendFailed: string
  /** No answer came, and history could not tell: it may have reached the server. */
  readonly sendUnknown: string
  /** Why a message was not sent: the agent waits for an answer, and the service would not show it the message. */
  readonly neverSeen: string
  /** The message goes out by itself once the answer is done. */
  readonly waitsForRun: string
  /** The message goes out by itself once what waits for the person is answered. */
  readonly waitsForRequest: string
  /** The message goes out by itself once there is a connection. */
  readonly waitsForConnection: string
  /** In place of a message's files that were not kept. */
  readonly attachments: string
  /** How much work a reply took: rounds of the model, and tool calls. */
  readonly totals: (rounds: number, calls: number) => string
  /** Names a message for assistive technology: who speaks. */
  readonly messageFrom: (name: string) => string
}

/** Words of buttons that stand in several places. */
export interface ActionWords {
  /** Puts something on the clipboard. */
  readonly copy: string
  /** It is there now. */
  readonly copied: string
  /** The browser refused. */
  readonly copyFailed: string
  /** Copies the text of a message. */
  readonly copyMessage: string
  /** Tries a failed thing again. */
  readonly retry: string
  /** Takes the content of a message that was not sent back into the field. */
  readonly edit: string
  /** Sends a message by itself once the answer is done. */
  readonly sendLater: string
  /** Takes away a message that was never sent. */
  readonly discard: string
  /** Lets the agent go on. */
  readonly goOn: string
  /** Shows technical details of a failure. */
  readonly details: string
  /** Saves a file. */
  readonly download: string
  /** Unfolds the rest. */
  readonly showAll: (lines: number) => string
  /** Folds it again. */
  readonly showLess: string
  /** Closes a dialog without deciding. */
  readonly close: string
}

/** Words of the thinking panel. */
export interface ThinkingWords {
  /** While it runs. */
  readonly running: string
  /** When it is over and no clock says how long it took. */
  readonly done: string
  /** When it is over. */
  readonly doneAfter: (duration: string) => string
}

/** Words of the tool-call card. */
export interface ToolWords {
  /** What a known tool does, by its name in lower case: stands before the key argument ("Read" `src/app.ts`). */
  readonly verbs: Readonly<Record<string, string>>
  /** What each phase is called. */
  readonly phases: Readonly<
    Record<
      | 'writing'
      | 'pending'
      | 'asking'
      | 'submitted'
      | 'running'
      | 'succeeded'
      | 'failed'
      | 'denied'
      | 'interrupted'
      | 'not-run',
      string
    >
  >
  /** Heads the arguments. */
  readonly input: string
  /** Heads the result. */
  readonly result: string
  /** The call has no arguments. */
  readonly noInput: string
  /** The tool gave nothing back. */
  readonly noResult: string
  /** The arguments cannot be read as JSON. */
  readonly invalidInput: string
  /** Copies the arguments. */
  readonly copyInput: string
  /** Copies the result. */
  readonly copyResult: string
}

/** Words of the approval card and dialog. */
export interface ConfirmWords {
  /** The question for a tool known by name in lower case ("Run this command?"). */
  readonly questions: Readonly<Record<string, string>>
  /** The question for any other tool. */
  readonly question: (tool: string) => string
  /** Says which sub-agent asks. */
  readonly askedBy: (worker: string) => string
  /** Approves this call. */
  readonly allow: string
  /** Approves it and remembers the rules. */
  readonly allowAlways: string
  /** Opens the choice of rules. */
  readonly always: string
  /** Refuses this call. */
  readonly deny: string
  /** Approves a plan. */
  readonly approvePlan: string
  /** Refuses it. */
  readonly rejectPlan: string
  /** It cannot be decided from here. */
  readonly elsewhere: string
  /** A rule about all calls of a tool. */
  readonly ruleForTool: (tool: string) => string
  /** A rule about calls that match a pattern. */
  readonly ruleForPattern: (tool: string, pattern: string) => string
  /** The decision is on its way. */
  readonly sending: string
  /** It did not reach the server. */
  readonly failed: string
  /** No answer came: it may have reached the server. */
  readonly unknown: string
  /** What was decided, after the fact. */
  readonly allowed: string
  /** What was decided, after the fact. */
  readonly denied: string
  /** A tool of the app is to run this call. */
  readonly waitingForTool: (tool: string) => string
  /** The bar above the composer, and the dialog's title. */
  readonly waiting: (count: number) => string
  /** Scrolls to the card. */
  readonly review: string
}

/** Words of the question card. */
export interface QuestionWords {
  /** A question whose own words cannot be read. */
  readonly title: string
  /** Which one of several asked together. */
  readonly place: (index: number, total: number) => string
  /** Chooses none of the answers given. */
  readonly other: string
  /** Names the field for a free answer. */
  readonly ownWords: string
  /** Names that field beside a chosen answer. */
  readonly note: string
  /** Sends the answer. */
  readonly send: string
  /** Gives no answer. */
  readonly dismiss: string
  /** Opens the page that a question is about. */
  readonly open: (host: string) => string
  /** The answer is on its way. */
  readonly sending: string
  /** The server took it. */
  readonly sent: string
  /** It waits for the answers to the other questions. */
  readonly held: string
  /** It did not reach the server. */
  readonly failed: string
  /** No answer came from the server: it may have reached it. */
  readonly unknown: string
  /** The person gave no answer. */
  readonly dismissed: string
  /** The answer stands at the first of the questions that were asked together. */
  readonly answeredAbove: string
  /** The bar above the composer. */
  readonly waiting: (count: number) => string
}

/** Words of pictures, sounds, films and files. */
export interface MediaWords {
  /** A picture without a name. */
  readonly image: string
  /** A sound without a name. */
  readonly audio: string
  /** A film without a name. */
  readonly video: string
  /** A file without a name. */
  readonly file: string
  /** It is still arriving. */
  readonly receiving: string
  /** Asks before something is loaded from elsewhere; `name` is its own, or the word for its kind. */
  readonly load: (name: string, host: string) => string
  /** It may not be loaded. */
  readonly blocked: string
  /** The browser could not show it. */
  readonly unreadable: string
}

/** Words of hints. */
export interface HintWords {
  /** A hint without a sender. */
  readonly label: string
  /** A hint that reminds the agent of something. */
  readonly reminder: string
  /** Known senders by name. */
  readonly senders: Readonly<Record<string, string>>
}

/** Words of failures and ends. */
export interface NoticeWords {
  /** What went wrong in a reply, by the error's type; `unknown` for any other. */
  readonly replyErrors: Readonly<Record<string, string>>
  /** A reply was stopped. */
  readonly interrupted: string
  /** A reply reached the limit of rounds. */
  readonly exceededRounds: string
  /** Why a request failed, by the error's reason; `unknown` for any other. */
  readonly transportErrors: Readonly<Record<string, string>>
  /** How a run goes, by the `CUSTOM` event that told it. */
  readonly states: Readonly<
    Record<'retrying' | 'warning' | 'quota_exceeded' | 'quota_notice' | 'context_warning', string>
  >
  /** The live connection is being made. */
  readonly connecting: string
  /** What was missed is being compared. */
  readonly catchingUp: string
  /** The next attempt, in whole seconds. */
  readonly reconnectingIn: (seconds: number) => string
  /** Tries at once. */
  readonly retryNow: string
  /** The device has no network. */
  readonly offline: string
  /** The connection is given up until the person acts. */
  readonly disconnected: string
}

/** Words of the composer. */
export interface ComposerWords {
  /** Names the field, and stands in it while it is empty. */
  readonly placeholder: string
  /** Names the field for assistive technology. */
  readonly label: string
  /** Sends the text. */
  readonly send: string
  /** Stops the run. */
  readonly stop: string
  /** While the run is being stopped. */
  readonly stopping: string
  /** Adds a file. */
  readonly attach: string
  /** Takes an added file away. */
  readonly removeAttachment: (name: string) => string
  /** The file is of a kind the agent does not take. */
  readonly attachmentRefused: (name: string) => string
  /** Cannot send: something waits for the person. */
  readonly blockedByRequest: string
  /** Cannot send: a tool of the app has to finish first. */
  readonly blockedByTool: string
  /** Leads to what waits for the person. */
  readonly review: string
  /** Stops the reply that waits, instead of answering. */
  readonly stopInstead: string
  /** Cannot send: an answer is being written. */
  readonly blockedByRun: string
  /** Cannot send: no network. */
  readonly blockedOffline: string
  /** Cannot send: the server no longer has the conversation. */
  readonly blockedByLoss: string
  /** Cannot send: the connection is given up. */
  readonly blockedByFailure: string
}

/** Words around times and numbers. */
export interface UnitWords {
  /**
   * A span of time, short ("12 s", "1 min 4 s").
   *
   * @param ms - In milliseconds.
   */
  readonly duration: (ms: number) => string
  /** The language tag that numbers and dates are written by, such as `en`. */
  readonly locale: string
}

/** Every word that a person can read, by place. Functions take what varies. */
export interface Words {
  /** The list and its messages. */
  readonly conversation: ConversationWords
  /** Buttons that stand in several places. */
  readonly actions: ActionWords
  /** The thinking panel. */
  readonly thinking: ThinkingWords
  /** The tool-call card. */
  readonly tool: ToolWords
  /** Approvals. */
  readonly confirm: ConfirmWords
  /** Questions to the person. */
  readonly question: QuestionWords
  /** Pictures, sounds, films, files. */
  readonly media: MediaWords
  /** Hints. */
  readonly hint: HintWords
  /** Failures and ends. */
  readonly notice: NoticeWords
  /** The composer. */
  readonly composer: ComposerWords
  /** Times and numbers. */
  readonly units: UnitWords
  /** Rendered markdown. */
  readonly markdown: MarkdownWords
}

/** Replacements for single words, place by place. */
export type WordsOverrides = { readonly [Place in keyof Words]?: Partial<Words[Place]> }
