import recorded from './examples.json' with { type: 'json' };

/** By the name of the entry: what was asked, and what was answered, each result once. */
export type Examples = Readonly<Record<string, Example>>;

export interface Example {
  request: { params?: Fields; query?: Fields; body?: Fields };
  replies: { status: number; body: Fields }[];
}

type Fields = Record<string, unknown>;

/** Real requests and answers, recorded by `pnpm generate`, with something else in the place of secrets. */
export const EXAMPLES: Examples = recorded;
