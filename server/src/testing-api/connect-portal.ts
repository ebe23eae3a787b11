import { addressOf, bearer, contract, type EndpointDefinition, type InputOf, type Space } from '@orchestrate/shared';
import {
  createPortalCall,
  type PortalCall,
  PortalRefusal,
  PortalUnreachable,
  readReply,
} from '@orchestrate/shared/authenticator';
import { createBrowser } from './browser.ts';
import { NotVerified, Skipped } from './errors.ts';
import { describeRefusal, openChannel } from './live-client.ts';
import type { Credentials, Portal, Snapshot } from './portal.ts';
import { ANY_FIELDS, limitArguments, type Options, requireOptions } from './require-options.ts';

export interface PortalAddress {
  /** Origin of a running portal, e.g. `http://localhost:3000`. */
  url: string;
  /** Token of the portal's lab (`LAB_TOKEN`), if it requires one. */
  labToken?: string | undefined;
}

export const ADDRESS_OPTIONS: Options<keyof PortalAddress> = { url: ['string'], labToken: ['string'] };
export const CREDENTIALS: Options<keyof Credentials> = { token: ['string'] };

/**
 * Connects to a running portal. Closing the returned object leaves the portal running.
 * @throws TypeError if `url` isn't an origin or `labToken` contains characters not allowed in headers
 */
export function connectPortal(address: PortalAddress): Portal {
  requireOptions('connectPortal', address, ADDRESS_OPTIONS);
  const { url, labToken } = address;
  return drive({ url: originOf(url), labToken }, async () => {});
}

function originOf(url: string): string {
  const { origin, href, protocol = '' } = URL.parse(url) ?? {};
  if (/^https?:$/.test(protocol) && href === `${origin}/`) return url.endsWith('/') ? url.slice(0, -1) : url;
  throw new TypeError(`url must be the origin of a portal, e.g. http://localhost:3000, not ${url}`);
}

/**
 * Creates the client of a portal.
 * @param options.address origin to send requests to, if it isn't the portal's public URL
 * @param end called once when the client is closed
 * @param ca see `Portal`
 */
export function drive(
  { url, labToken, address = url }: PortalAddress & { address?: string },
  end: () => Promise<void>,
  ca?: string,
): Portal {
  const labHeaders = labToken === undefined ? {} : bearer('labToken', labToken);
  const caller = (headers: Record<string, string>) => explained(createPortalCall({ baseUrl: address, headers }));
  const asLab = caller(labHeaders);
  async function call<D extends EndpointDefinition>(entry: D, input: InputOf<D>, credentials: Credentials = {}) {
    requireDefinition('entry', entry);
    requireOptions(`${entry.method} ${entry.path}`, input ?? {}, partsOf(entry));
    requireOptions('portal.call', credentials, CREDENTIALS);
    const { token } = credentials;
    const headers = token !== undefined ? bearer('token', token) : entry.access.who === 'lab' ? labHeaders : {};
    return await caller(headers)(entry, input ?? {});
  }
  /** Reads a lab document. */
  async function read({ path }: EndpointDefinition): Promise<string> {
    const response = await fetch(`${address}/api${path}`, { headers: labHeaders }).catch((cause: unknown) => {
      throw new PortalUnreachable(address, cause);
    });
    if (!response.ok) await withCallInMessage(`GET /api${path}`, readReply(address, response));
    return response.text();
  }
  let ended: Promise<void> | undefined;
  const close = () => (ended ??= end());

  const portal: Portal = {
    url,
    ca,
    call: call as Portal['call'],
    async open(channel, query, credentials = {}) {
      requireDefinition('channel', channel);
      requireOptions('portal.open', credentials, CREDENTIALS);
      return await openChannel(address, channel, query ?? {}, credentials.token);
    },
    person: (body) => asLab(contract.makePerson, { body }),
    application: (body) => asLab(contract.makeApplication, { body }),
    people: (query = {}) => asLab(contract.readPeople, { query }),
    devices: async (query = {}) => (await asLab(contract.virtualDevices, { query })).devices,
    session: (body) => asLab(contract.makeSession, { body }),
    browser: (options) => createBrowser(portal, options, labToken),
    async policy(body) {
      await asLab(contract.setPolicy, { body });
    },
    policies: () => asLab(contract.readPolicies, {}),
    async clearPolicies(query = {}) {
      await asLab(contract.clearPolicies, { query });
    },
    requests: async () => (await asLab(contract.readRequests, {})).requests,
    approve: async (loginId, body) => (await asLab(contract.approveRequest, { params: { loginId }, body })).result,
    deny: async (loginId, body) => (await asLab(contract.denyRequest, { params: { loginId }, body })).result,
    async fault(body) {
      await asLab(contract.addFault, { body });
    },
    faults: () => asLab(contract.readFaults, {}),
    async clearFaults(query = {}) {
      await asLab(contract.clearFaults, { query });
    },
    magic: async () => (await asLab(contract.readMagic, {})).values,
    async socketFault(body) {
      await asLab(contract.addSocketFault, { body });
    },
    socketFaults: () => asLab(contract.readSocketFaults, {}),
    async clearSocketFaults() {
      await asLab(contract.clearSocketFaults, {});
    },
    unused: () => asLab(contract.readUnused, {}),
    clock: (body) => (body ? asLab(contract.setClock, { body }) : asLab(contract.readClock, {})),
    async outbox(query = {}) {
      const { messages, skipped } = await asLab(contract.readOutbox, { query });
      if (skipped > 0)
        throw new Skipped(
          `${skipped} more messages arrived after ${query.after}. Filter by recipient or read the outbox more often.`,
        );
      return messages;
    },
    async emptyOutbox(query = {}) {
      return (await asLab(contract.emptyOutbox, { query })).deleted;
    },
    async outboxFault(body) {
      await asLab(contract.addOutboxFault, { body });
    },
    outboxFaults: () => asLab(contract.readOutboxFaults, {}),
    async clearOutboxFaults() {
      await asLab(contract.clearOutboxFaults, {});
    },
    async webhookFault(body) {
      await asLab(contract.addWebhookFault, { body });
    },
    webhookFaults: () => asLab(contract.readWebhookFaults, {}),
    async clearWebhookFaults() {
      await asLab(contract.clearWebhookFaults, {});
    },
    forge: async (webhookId, body) => (await asLab(contract.forgeDelivery, { params: { webhookId }, body })).delivery,
    settled: (query = {}) => asLab(contract.awaitSettled, { query }),
    async journal(query = {}) {
      const { entries, skipped } = await asLab(contract.readJournal, { query });
      if (skipped > 0)
        throw new Skipped(`${skipped} entries after ${query.after} have been removed. Read the journal more often.`);
      return entries;
    },
    async emptyJournal() {
      await asLab(contract.emptyJournal, {});
    },
    async verify(body) {
      const { ok, message, misses } = await asLab(contract.verifyJournal, { body });
      if (!ok) throw new NotVerified(message, misses, (await asLab(contract.readUnused, {})).messages);
    },
    tokens: (body) => asLab(contract.issueTokens, { body }),
    async waitFor(body) {
      const { entry, message, misses } = await asLab(contract.awaitEntry, { body });
      if (!entry) throw new NotVerified(message, misses);
      return entry;
    },
    inspect: (body) => asLab(contract.inspectToken, { body }),
    provision: (body) => asLab(contract.replayProvisioning, { body }),
    async snapshot(body = {}) {
      const { snapshotId } = await asLab(contract.takeSnapshot, { body });
      const params = { snapshotId };
      const snapshot: Snapshot = {
        snapshotId,
        async restore() {
          await asLab(contract.restoreSnapshot, { params });
        },
        async drop() {
          await unlessGone(asLab(contract.dropSnapshot, { params }));
        },
      };
      return limitArguments('snapshot', snapshot, { restore: 0, drop: 0 });
    },
    snapshots: async () => (await asLab(contract.listSnapshots, {})).snapshots,
    async space(body = {}) {
      const made = await asLab(contract.makeSpace, { body });
      const spaceUrl = spaceUrlFor(url, made);
      // A portal behind a proxy is called on this machine, and so are its spaces.
      const spaceAddress = address === url ? spaceUrl : withPort(address, new URL(made.url).port);
      return drive({ url: spaceUrl, address: spaceAddress, labToken }, async () => {
        await unlessGone(asLab(contract.endSpace, { params: { spaceId: made.spaceId } }));
      });
    },
    spaces: async () => (await asLab(contract.listSpaces, {})).spaces,
    world: async () => (await asLab(contract.readWorld, {})).world,
    worldFile: () => read(contract.readWorldFile),
    worldSchema: () => read(contract.readWorldSchema),
    async reset(body = {}) {
      await asLab(contract.resetLab, { body });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  return limitArguments('portal', portal, MAX_ARGUMENTS);
}

/** Maximum number of arguments per method. JavaScript would ignore any others, e.g. `emptyJournal({ to })`. */
const MAX_ARGUMENTS: Readonly<Record<Exclude<keyof Portal, 'url' | 'ca' | symbol>, number>> = {
  call: 3,
  open: 3,
  person: 1,
  application: 1,
  people: 1,
  devices: 1,
  session: 1,
  browser: 1,
  policy: 1,
  policies: 0,
  clearPolicies: 1,
  requests: 0,
  approve: 2,
  deny: 2,
  fault: 1,
  faults: 0,
  clearFaults: 1,
  magic: 0,
  socketFault: 1,
  socketFaults: 0,
  clearSocketFaults: 0,
  outboxFault: 1,
  outboxFaults: 0,
  clearOutboxFaults: 0,
  webhookFault: 1,
  webhookFaults: 0,
  clearWebhookFaults: 0,
  forge: 2,
  settled: 1,
  unused: 0,
  clock: 1,
  outbox: 1,
  emptyOutbox: 1,
  journal: 1,
  emptyJournal: 0,
  verify: 1,
  waitFor: 1,
  tokens: 1,
  inspect: 1,
  provision: 1,
  snapshot: 1,
  snapshots: 0,
  space: 1,
  spaces: 0,
  world: 0,
  worldFile: 0,
  worldSchema: 0,
  reset: 1,
  close: 0,
};

/** Ignores a refusal if the target has already ended. @throws PortalRefusal for any other reason */
async function unlessGone(ending: Promise<unknown>): Promise<void> {
  await ending.catch((reason: unknown) => {
    const isGone = reason instanceof PortalRefusal && reason.resultName === 'ID_DOESNOT_EXIST';
    if (!isGone && !(reason instanceof PortalUnreachable)) throw reason;
  });
}

/** Rejects a missing definition, such as a misspelt name in JavaScript. @throws TypeError */
function requireDefinition(wanted: 'entry' | 'channel', given: { path: string; method?: string } | undefined): void {
  const isChannel = given?.method === undefined;
  if (given?.path !== undefined && isChannel === (wanted === 'channel')) return;
  const taker = wanted === 'entry' ? 'portal.call expects an endpoint' : 'portal.open expects a channel';
  throw new TypeError(`${taker} of the contract, not ${given?.path ?? String(given)}`);
}

/** Returns the options accepted when calling an endpoint. */
function partsOf({ params, query, body, multipart }: EndpointDefinition): Options {
  return {
    ...(params && { params: 'any' }),
    ...(query && { query: 'any' }),
    ...((body ?? multipart) && { body: 'any' }),
  };
}

function withPort(address: string, port: string): string {
  return Object.assign(new URL(address), { port }).origin;
}

/** Returns a space's URL for a client that reached the portal at `requested`. */
function spaceUrlFor(requested: string, { url, backchannelUrl }: Space): string {
  if (backchannelUrl === undefined) return url;
  return new URL(requested).hostname === new URL(backchannelUrl).hostname ? backchannelUrl : url;
}

/** Adds the call and the invalid fields to the messages of refused calls. */
function explained(call: PortalCall): PortalCall {
  return async (entry, input) => {
    const { params, query = {} }: { params?: unknown; query?: unknown; body?: unknown } = input;
    const name = `${entry.method} ${entry.path}`;
    // The portal couldn't reject a query that isn't an object, such as a string, because the URL would not contain it.
    requireOptions(name, query, ANY_FIELDS);
    return await withCallInMessage(`${entry.method} /api${addressOf(entry, { params })}`, call(entry, input));
  };
}

async function withCallInMessage<Reply>(call: string, reply: Promise<Reply>): Promise<Reply> {
  return await reply.catch((reason: unknown) => {
    if (!(reason instanceof PortalRefusal)) throw reason;
    const { status, resultCode, resultName, issues, sentence } = reason;
    const message = describeRefusal(call, { status, resultCode, resultName, message: sentence, issues });
    throw new PortalRefusal({ status, resultCode, resultName, issues, message, sentence });
  });
}
