import { type FullWorld, world } from '@orchestrate/shared';
import { requiresHttps } from '../../core/requires-https.ts';
import { isLocalPortal } from '../../platform/http/callers/local-portal.ts';
import { readShape } from '../../platform/http/requests/read-shape.ts';
import { Refusal } from '../../platform/refusal.ts';
import { checkOrganisation } from './check-organisation.ts';
import { createDidYouMean, createUnique, fields, type WorldIssue } from './raw.ts';

/** Every mistake in a world. */
export class WorldMistakes extends Error {
  readonly issues: readonly WorldIssue[];
  /** How many there are. */
  readonly summary: string;

  constructor(issues: readonly WorldIssue[]) {
    const summary = `This world has ${countOf(issues)}; nothing was imported.`;
    super([summary, ...issues.map(({ path, message }) => `  ${[...path].join('.')}: ${message}`)].join('\n'));
    this.issues = issues;
    this.summary = summary;
  }
}

/** Where a portal is reached. */
type Reached = Parameters<typeof requiresHttps>[0];

export const countOf = ({ length }: readonly unknown[]): string =>
  length === 1 ? 'one mistake' : `${length} mistakes`;

/** A world with its defaults. @param config of the portal that it is for. @throws WorldMistakes with all of them */
export async function readWorld(raw: unknown, config: Reached): Promise<FullWorld> {
  const issues: WorldIssue[] = [];
  const complain = (path: WorldIssue['path'], message: string) => issues.push({ path, message });
  const read = readShape(world, raw);
  if ('issues' in read) issues.push(...read.issues);
  const needsHttps = (address: string) => requiresHttps(config, address);
  const isLocal = isLocalPortal(config);
  const checking = { isLocal, complain, unique: createUnique(complain), didYouMean: createDidYouMean(), needsHttps };
  const { organisations } = fields(raw);
  for (const [at, organisation] of Array.isArray(organisations) ? organisations.entries() : []) {
    await checkOrganisation(organisation, at, checking);
  }
  if ('issues' in read || issues.length > 0) throw new WorldMistakes(withoutRepeats(issues));
  return read.data;
}

/** Each mistake once. */
function withoutRepeats(issues: readonly WorldIssue[]): WorldIssue[] {
  const said = new Map(issues.map((issue) => [JSON.stringify([issue.path, issue.message]), issue]));
  return [...said.values()];
}

/** A world from outside. @throws Refusal INVALID_REQUEST with every mistake, its path below `at` */
export async function readSentWorld(raw: unknown, config: Reached, at: string): Promise<FullWorld> {
  try {
    return await readWorld(raw, config);
  } catch (reason) {
    if (!(reason instanceof WorldMistakes)) throw reason;
    const issues = reason.issues.map(({ path, message }) => ({ path: [at, ...path].join('.'), message }));
    throw new Refusal('INVALID_REQUEST', { message: reason.summary, issues });
  }
}
