import { type EndpointDefinition, type JournalEntry, login } from '@orchestrate/shared';

/** Matches approval requests that reached a given state. */
export const requestReached =
  (state: 'opened' | 'approved' | 'denied', kind = 'login') =>
  (entry: JournalEntry): boolean =>
    entry.kind === 'challenge' && entry.challengeKind === kind && entry.state === state;

/** Matches successful calls. Path parameters match any value. */
export const succeeded = ({ method, path }: Pick<EndpointDefinition, 'method' | 'path'>) => {
  const pattern = new RegExp(`^/api${path.replaceAll(/:\w+/g, '[^/]+')}$`);
  return (entry: JournalEntry): boolean =>
    entry.kind === 'http' && entry.method === method && entry.status === 200 && pattern.test(entry.path);
};

/** Matches calls that were refused with a given result. */
export const refusedWith =
  (resultName: string) =>
  (entry: JournalEntry): boolean =>
    entry.kind === 'http' && entry.resultName === resultName;

/** Matches the start of a sign-in, either with a code or with a request to a phone. */
export const signInStarted = (entry: JournalEntry): boolean =>
  entry.kind === 'http' && entry.resultName === 'LOGIN_INIT';

/** Matches the exchange of an approved sign-in for a session. */
export const sessionStarted = (entry: JournalEntry): boolean =>
  succeeded(login)(entry) && entry.kind === 'http' && hasField(entry.requestBody, 'exchangeToken');

/** Matches an application's token response. */
export const tokensIssued = (entry: JournalEntry): boolean =>
  entry.kind === 'http' && entry.status === 200 && /^\/oidc\/[^/]+\/token$/.test(entry.path);

/** Matches emails sent with a given template. */
export const emailed =
  (template: string) =>
  (entry: JournalEntry): boolean =>
    entry.kind === 'message' && entry.template === template;

const hasField = (body: unknown, name: string): boolean => typeof body === 'object' && body !== null && name in body;
