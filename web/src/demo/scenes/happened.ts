import { type EndpointDefinition, type JournalEntry, login } from '@orchestrate/shared';

/** A request to a phone reached this state. */
export const requestIs =
  (state: 'opened' | 'approved' | 'denied', kind = 'login') =>
  (entry: JournalEntry): boolean =>
    entry.kind === 'challenge' && entry.challengeKind === kind && entry.state === state;

/** A call was answered with a success. Parameters of the path match anything. */
export const answered = ({ method, path }: Pick<EndpointDefinition, 'method' | 'path'>) => {
  const pattern = new RegExp(`^/api${path.replaceAll(/:\w+/g, '[^/]+')}$`);
  return (entry: JournalEntry): boolean =>
    entry.kind === 'http' && entry.method === method && entry.status === 200 && pattern.test(entry.path);
};

/** A call was refused with this result. */
export const refusedWith =
  (resultName: string) =>
  (entry: JournalEntry): boolean =>
    entry.kind === 'http' && entry.resultName === resultName;

/** A browser has begun a sign-in: it shows a code, or has sent a request to a phone. */
export const isAsked = (entry: JournalEntry): boolean => entry.kind === 'http' && entry.resultName === 'LOGIN_INIT';

/** A browser has exchanged an approved sign-in for a session. */
export const isSignedIn = (entry: JournalEntry): boolean =>
  answered(login)(entry) && entry.kind === 'http' && hasField(entry.requestBody, 'exchangeToken');

/** An application was given its tokens. */
export const isToldWho = (entry: JournalEntry): boolean =>
  entry.kind === 'http' && entry.status === 200 && /^\/oidc\/[^/]+\/token$/.test(entry.path);

/** A mail with this template was written. */
export const isMailed =
  (template: string) =>
  (entry: JournalEntry): boolean =>
    entry.kind === 'message' && entry.template === template;

const hasField = (body: unknown, name: string): boolean => typeof body === 'object' && body !== null && name in body;
