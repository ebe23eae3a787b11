/** Exit codes of the process. */
export const EXIT = { done: 0, refused: 1, usage: 2, unreachable: 3, nothingWaits: 4 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The command can't be run with these arguments; the message tells the user why, in one line. */
export class UsageError extends Error {}

/** There is no request to answer. */
export class NoPendingRequest extends Error {}
