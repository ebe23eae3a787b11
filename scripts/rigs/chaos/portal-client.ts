import {
  type EndpointDefinition,
  exportActivity,
  type FaqCategory,
  getFaq,
  getScimCredentials,
  getUser,
  type ReplyOf,
  saveFaqCategory,
  saveFaqRecord,
  saveFaqSubcategory,
  updateUser,
} from '@orchestrate/shared';
import { basicAuthHeader } from '../../basic.ts';
import { createDriver } from '../bench/create-driver.ts';

/** An edit of a member, a new FAQ question, or a user created by the directory. */
export type WriteKind = 'edit' | 'question' | 'person';

/** A write, identified by a unique mark. */
export interface Write {
  kind: WriteKind;
  mark: string;
  /** Index of the edited member, for an edit. */
  slot: number;
}

/** The portal's data, as read back through its API. */
export interface ObservedState {
  /** Marks of the questions and users. */
  things: ReadonlySet<string>;
  /** First names of the edited members. An empty string stands for a missing member. */
  names: readonly string[];
  /** Marks found in the audit trail. */
  recorded: ReadonlySet<string>;
}

/** Data created once, before the first kill. */
export interface Fixtures {
  subcategoryId: string;
  edited: readonly { suid: string; email: string }[];
}

/** A client for a running portal, acting as a signed-in administrator and as the organisation's directory. */
export interface PortalClient {
  prepare(members: number): Promise<Fixtures>;
  /**
   * Sends a write to the portal.
   * @returns undefined on success, otherwise the error
   * @throws if no response arrived
   */
  write(fixtures: Fixtures, write: Write): Promise<string | undefined>;
  read(fixtures: Fixtures): Promise<ObservedState>;
}

const ORG = 'acme';
const WHO = 'super.admin@acme.test';
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const MARK = /^chaos-\d+$/;
const PAGE = 500;

/** Signs in to a portal as an administrator. Returns a client for its API. */
export async function connectPortal(url: string): Promise<PortalClient> {
  const { token } = await signIn(url);

  async function send<const D extends EndpointDefinition>(entry: D, body?: object, search = '') {
    const response = await fetch(`${url}/api${entry.path}${search}`, {
      method: entry.method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return response.text();
  }

  async function ask<const D extends EndpointDefinition>(entry: D, body?: object, search = ''): Promise<ReplyOf<D>> {
    const text = await send(entry, body, search);
    const answer: ReplyOf<D> & { resultCode: number } = JSON.parse(text);
    if (answer.resultCode !== 0) throw new Error(`${entry.path} answered ${text}`);
    return answer;
  }

  const { username, password } = await ask(getScimCredentials);
  const authorization = basicAuthHeader(username, password);

  async function directory(path: string, body?: object): Promise<{ status: number; text: string }> {
    const response = await fetch(`${url}/scim/v2/${ORG}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization, ...(body && { 'content-type': 'application/scim+json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  }

  const createPerson = (mark: string) =>
    directory('/Users', { schemas: [USER], userName: addressOf(mark), name: { givenName: 'New', familyName: mark } });

  async function people(): Promise<string[]> {
    const names: string[] = [];
    for (let total = 1; names.length < total; ) {
      const { text } = await directory(`/Users?startIndex=${names.length + 1}&count=${PAGE}&attributes=name`);
      const page: { totalResults: number; Resources: { name: { familyName: string } }[] } = JSON.parse(text);
      if (page.Resources.length === 0) break;
      names.push(...page.Resources.map(({ name }) => name.familyName));
      total = page.totalResults;
    }
    return names;
  }

  async function recorded(): Promise<Set<string>> {
    const lines = (await send(exportActivity, undefined, '?format=ndjson')).split('\n').filter(Boolean);
    const marks = lines.flatMap((line) => {
      const { changes }: { changes: { after?: unknown }[] } = JSON.parse(line);
      return changes.map(({ after }) => String(after)).filter((after) => MARK.test(after));
    });
    return new Set(marks);
  }

  return {
    async prepare(members) {
      const { categoryId } = await ask(saveFaqCategory, { name: 'Chaos' });
      const { subcategoryId } = await ask(saveFaqSubcategory, { categoryId, name: 'Questions' });
      const edited: { suid: string; email: string }[] = [];
      for (let slot = 0; slot < members; slot += 1) {
        const mark = `edited-${slot}`;
        const { text } = await createPerson(mark);
        const { id }: { id: string } = JSON.parse(text);
        edited.push({ suid: id, email: addressOf(mark) });
      }
      return { subcategoryId, edited };
    },

    async write({ subcategoryId, edited }, { kind, mark, slot }) {
      if (kind === 'person') {
        const { status, text } = await createPerson(mark);
        return status === 201 ? undefined : text;
      }
      const email = edited[slot]?.email;
      const text =
        kind === 'question'
          ? await send(saveFaqRecord, { subcategoryId, question: mark, answer: '<p>Yes.</p>' })
          : await send(updateUser, { primaryAttr: email, primaryEmail: email, firstName: mark, lastName: 'Edited' });
      const { resultCode }: { resultCode: number } = JSON.parse(text);
      return resultCode === 0 ? undefined : text;
    },

    async read({ edited }) {
      const { categories } = await ask(getFaq);
      const names: string[] = [];
      for (const { suid } of edited) {
        const { profile }: { profile?: { firstName: string } } = JSON.parse(
          await send(getUser, undefined, `?suid=${suid}`),
        );
        names.push(profile?.firstName ?? '');
      }
      const items = [...questionsOf(categories), ...(await people())].filter((item) => MARK.test(item));
      return { things: new Set(items), names, recorded: await recorded() };
    },
  };
}

async function signIn(url: string) {
  const driver = createDriver(url);
  try {
    const person = (await driver.people(ORG)).find(({ email }) => email === WHO);
    if (!person) throw new Error(`The seed data doesn't contain ${WHO}.`);
    return (await driver.signIn(person)).authState;
  } finally {
    driver.close();
  }
}

const addressOf = (mark: string): string => `${mark}@acme.test`;

const questionsOf = (categories: readonly FaqCategory[]): string[] =>
  categories.flatMap(({ subcategories }) =>
    subcategories.flatMap(({ records }) => records.map(({ question }) => question)),
  );
