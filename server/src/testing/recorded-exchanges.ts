/** A request to an endpoint and its responses, in order. */
export interface Exchange {
  /** The request of the first successful call or, if there is none, of the first call. */
  request: object;
  answers: { status: number; type: string | null; body: unknown }[];
}

/** Exchanges by method and path. Third-party clients rely on these responses. */
export type Exchanges = Record<string, Exchange>;

const VARIES = '<varies> ';

/** Marks a value that differs in each run, such as an ID, and keeps one value for the API reference's examples. */
export const markVariable = (value: unknown): string => `${VARIES}${JSON.stringify(value)}`;

const isVarying = (value: unknown): value is string => typeof value === 'string' && value.startsWith(VARIES);

/** Returns the first of several recordings, with values marked that differ in another recording. */
export const withVariations = ([first, ...others]: Exchanges[]): Exchanges =>
  Object.fromEntries(
    Object.entries(first ?? {}).map(([name, { request, answers }]) => {
      const compared = others.map((other) => other[name]?.answers);
      return [name, { request, answers: compared.reduce<unknown>(common, answers) as Exchange['answers'] }];
    }),
  );

function common(one: unknown, other: unknown): unknown {
  if (isVarying(one) || Object.is(one, other)) return one;
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
    return one.map((value, index) => common(value, other[index]));
  }
  if (isObject(one) && isObject(other) && haveSameKeys(one, other)) {
    return Object.fromEntries(Object.entries(one).map(([key, value]) => [key, common(value, other[key])]));
  }
  return markVariable(one);
}

/** Returns a response with recorded values in variable positions and current values everywhere else. */
export function withRecordedValues(recorded: unknown, given: unknown): unknown {
  if (isVarying(recorded)) return recorded;
  if (Array.isArray(recorded) && Array.isArray(given) && recorded.length === given.length) {
    return recorded.map((value, index) => withRecordedValues(value, given[index]));
  }
  if (!isObject(recorded) || !isObject(given)) return given;
  if (!haveSameKeys(recorded, given)) return { fields: Object.keys(given).join() };
  return Object.fromEntries(
    Object.entries(recorded).map(([key, value]) => [key, withRecordedValues(value, given[key])]),
  );
}

/**
 * Returns the fresh recording, but reuses a recorded request or variable value if its shape is unchanged, so that
 * re-recording adds no noise to diffs.
 */
export const keepRecordedValues = (old: Exchanges, fresh: Exchanges): Exchanges =>
  Object.fromEntries(
    Object.entries(fresh).map(([name, { request, answers }]) => {
      const known = old[name];
      if (!known) return [name, { request, answers }];
      const isSame = shapeOf(known.request) === shapeOf(request);
      const values = keepValues(known.answers, answers) as Exchange['answers'];
      return [name, { request: isSame ? known.request : request, answers: values }];
    }),
  );

function keepValues(old: unknown, fresh: unknown): unknown {
  if (isVarying(old) && isVarying(fresh)) return shapeOf(sampleIn(old)) === shapeOf(sampleIn(fresh)) ? old : fresh;
  if (Array.isArray(old) && Array.isArray(fresh)) return fresh.map((value, index) => keepValues(old[index], value));
  if (!isObject(old) || !isObject(fresh)) return fresh;
  return Object.fromEntries(Object.entries(fresh).map(([key, value]) => [key, keepValues(old[key], value)]));
}

const sampleIn = (marked: string): unknown => JSON.parse(marked.slice(VARIES.length));

/** Returns a string that describes a value's field names and types. */
const shapeOf = (value: unknown): string =>
  JSON.stringify(value, (_, part) => (typeof part === 'object' ? part : typeof part));

const haveSameKeys = (one: object, other: object): boolean => Object.keys(one).join() === Object.keys(other).join();

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
