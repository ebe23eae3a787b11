/** Exit codes of the process. */
export const EXIT = { done: 0, refused: 1, usage: 2, unreachable: 3, nothingWaits: 4 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The command cannot be carried out as given; its message is one line for the person who typed it. */
export class WrongUse extends Error {}

/** There is no request to answer. */
export class NothingWaits extends Error {}
