import { FAULT_KINDS, type FaultKind } from './fault-kinds.ts';

/** What is typed into the form of a fault. */
export const NO_FAULT = {
  method: '',
  path: '',
  email: '',
  org: '',
  status: '500',
  headers: '',
  body: '',
  scimType: '',
  detail: '',
  delay: '',
  times: '1',
  after: '0',
};
export type FaultValues = typeof NO_FAULT;

/** A fault as the contract wants it, to be checked by its schema. @param choice of what the kind asks for */
export function faultOf(kind: FaultKind, choice: string, values: FaultValues) {
  const { method, path, email, org, times, after } = values;
  return {
    match: { ...(method && { method }), path: path.trim(), ...(email && { email }), ...(org && { org }) },
    answer: answerOf(kind, choice, values),
    times: Number(times),
    after: Number(after),
  };
}

function answerOf(kind: FaultKind, choice: string, { status, headers, body, scimType, detail, delay }: FaultValues) {
  const asked = FAULT_KINDS[kind];
  const isScim = kind === 'scim';
  return {
    ...(kind === 'status' && {
      status: Number(status),
      ...(body && { body: jsonOrText(body) }),
      ...(headers.trim() && { headers: headersOf(headers) }),
    }),
    ...(isScim && { scim: { status: Number(status), ...(scimType && { scimType }), ...(detail && { detail }) } }),
    ...(asked.asks === 'one of' && { [kind]: choice || asked.options[0] }),
    ...(kind === 'hang' && { hang: true }),
    ...(kind === 'cut' && { cut: true }),
    ...(kind === 'cutBody' && { cut: 'body' }),
    ...((delay !== '' || kind === 'delayMs') && { delayMs: Number(delay || '1000') }),
  };
}

/** Objects and lists as JSON; anything else is a text, also what looks like a number. */
function jsonOrText(body: string): unknown {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : body;
  } catch {
    return body;
  }
}

/** `Retry-After: 30`, one on each line. */
const headersOf = (typed: string): Record<string, string> =>
  Object.fromEntries(
    typed
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const [name = '', ...value] = line.split(':');
        return [name.trim(), value.join(':').trim()];
      }),
  );
