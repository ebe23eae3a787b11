import { type FullWorld, world } from '@orchestrate/shared';
import type { z } from 'zod';
import { issueSentence } from '../../platform/http/requests/issue-sentence.ts';
import { flatten } from '../../platform/http/requests/read-request.ts';
import { Refusal } from '../../platform/refusal.ts';
import { checkOrganisation } from './check-organisation.ts';
import { createDidYouMean, createUnique, fields, type WorldIssue } from './raw.ts';

/** Every mistake in a world. */
export class WorldMistakes extends Error {
  readonly issues: readonly WorldIssue[];

  constructor(issues: readonly WorldIssue[]) {
    super(`This world has ${countOf(issues)}; nothing was imported.`);
    this.issues = issues;
  }
}

export const countOf = ({ length }: readonly unknown[]): string =>
  length === 1 ? 'one mistake' : `${length} mistakes`;

/** A world with its defaults. @throws WorldMistakes with all of them */
export async function readWorld(raw: unknown): Promise<FullWorld> {
  const issues: WorldIssue[] = [];
  const complain = (path: WorldIssue['path'], message: string) => issues.push({ path, message });
  const parsed = world.safeParse(raw, { error: sentenceOf });
  for (const { path, message } of parsed.success
    ? []
    : parsed.error.issues.flatMap(flatten).map((issue) => worded(issue, raw))) {
    complain(
      path.map((part) => (typeof part === 'symbol' ? String(part) : part)),
      message,
    );
  }
  const checking = { complain, unique: createUnique(complain), didYouMean: createDidYouMean() };
  const { organisations } = fields(raw);
  for (const [at, organisation] of Array.isArray(organisations) ? organisations.entries() : []) {
    await checkOrganisation(organisation, at, checking);
  }
  if (!parsed.success || issues.length > 0) throw new WorldMistakes(withoutRepeats(issues));
  return parsed.data;
}

type Issue = z.core.$ZodIssue;

/** Unknown fields get a line each, so that each is answered with the name that was probably meant. */
const sentenceOf = (issue: z.core.$ZodRawIssue): string | undefined =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key: string) => issueSentence({ ...issue, keys: [key] })).join('\n')
    : issueSentence(issue);

function worded(issue: Issue, raw: unknown): Issue {
  if (issue.code === 'unrecognized_keys') {
    const at = issue.keys.indexOf(String(issue.path.at(-1)));
    return { ...issue, message: issue.message.split('\n')[at] ?? issue.message };
  }
  if (issue.code !== 'invalid_type') return issue;
  // Many fields only have the sentence of forms, in which a value is a text or absent.
  const input = issue.path.reduce<unknown>((value, part) => Object(value)[part], raw);
  return { ...issue, message: issueSentence({ ...issue, input }) ?? issue.message };
}

/** Each mistake once. */
function withoutRepeats(issues: readonly WorldIssue[]): WorldIssue[] {
  const said = new Map(issues.map((issue) => [JSON.stringify([issue.path, issue.message]), issue]));
  return [...said.values()];
}

/** A world from outside. @throws Refusal INVALID_REQUEST with every mistake, its path below `at` */
export async function readSentWorld(raw: unknown, at: string): Promise<FullWorld> {
  try {
    return await readWorld(raw);
  } catch (reason) {
    if (!(reason instanceof WorldMistakes)) throw reason;
    const issues = reason.issues.map(({ path, message }) => ({ path: [at, ...path].join('.'), message }));
    throw new Refusal('INVALID_REQUEST', { message: reason.message, issues });
  }
}
