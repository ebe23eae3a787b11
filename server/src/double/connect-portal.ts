import { contract, type EndpointDefinition, type InputOf } from '@orchestrate/shared';
import { AuthenticatorRefusal, createPortalCall, type PortalCall } from '@orchestrate/shared/authenticator';
import { openChannel } from './live-client.ts';
import { NotVerified } from './not-verified.ts';
import type { Credentials, Portal } from './portal.ts';

export interface PortalAddress {
  /** Origin of a running portal, e.g. `http://localhost:3000`. */
  url: string;
  /** Where the portal's lab wants one (`LAB_TOKEN`). */
  labToken?: string | undefined;
}

/** Drives a portal that runs elsewhere: closing it leaves that portal alone. */
export function connectPortal({ url, labToken }: PortalAddress): Portal {
  return drive({ url, labToken }, async () => {});
}

/** @param end called once, on closing */
export function drive({ url, labToken }: PortalAddress, end: () => Promise<void>): Portal {
  const caller = (token: string | undefined) =>
    explained(
      createPortalCall({ baseUrl: url, headers: token === undefined ? {} : { authorization: `Bearer ${token}` } }),
    );
  const asLab = caller(labToken);
  const tokenFor = ({ access }: EndpointDefinition) => (access.who === 'lab' ? labToken : undefined);
  const call = <D extends EndpointDefinition>(entry: D, input: InputOf<D>, { token }: Credentials = {}) =>
    caller(token ?? tokenFor(entry))(entry, input);
  let ended: Promise<void> | undefined;
  const close = () => (ended ??= end());

  return {
    url,
    call,
    open: (channel, query, { token } = {}) => openChannel(url, channel, query, token),
    person: (body) => asLab(contract.makePerson, { body }),
    session: (body) => asLab(contract.makeSession, { body }),
    async policy(body) {
      await asLab(contract.setPolicy, { body });
    },
    approve: async (loginId, body) => (await asLab(contract.approveRequest, { params: { loginId }, body })).result,
    deny: async (loginId, body) => (await asLab(contract.denyRequest, { params: { loginId }, body })).result,
    async fault(body) {
      await asLab(contract.addFault, { body });
    },
    faults: () => asLab(contract.readFaults, {}),
    async socketFault(body) {
      await asLab(contract.addSocketFault, { body });
    },
    socketFaults: () => asLab(contract.readSocketFaults, {}),
    clock: (body) => (body ? asLab(contract.setClock, { body }) : asLab(contract.readClock, {})),
    outbox: async (query = {}) => (await asLab(contract.readOutbox, { query })).messages,
    journal: async (query = {}) => (await asLab(contract.readJournal, { query })).entries,
    async verify(body) {
      const { ok, message, misses } = await asLab(contract.verifyJournal, { body });
      if (!ok) throw new NotVerified(message, misses);
    },
    provision: (body) => asLab(contract.replayProvisioning, { body }),
    async snapshot(body = {}) {
      const { snapshotId } = await asLab(contract.takeSnapshot, { body });
      const restore = async () => {
        await asLab(contract.restoreSnapshot, { params: { snapshotId } });
      };
      return { snapshotId, restore };
    },
    async space(body = {}) {
      const { spaceId, url: spaceUrl } = await asLab(contract.makeSpace, { body });
      return drive({ url: spaceUrl, labToken }, async () => {
        await asLab(contract.endSpace, { params: { spaceId } });
      });
    },
    world: async () => (await asLab(contract.readWorld, {})).world,
    async reset(body = {}) {
      await asLab(contract.resetLab, { body });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A caller whose refusals say what is wrong with which field: a test prints little more than their message. */
function explained(call: PortalCall): PortalCall {
  return (entry, input) =>
    call(entry, input).catch((reason: unknown) => {
      if (!(reason instanceof AuthenticatorRefusal) || reason.issues.length === 0) throw reason;
      const { status, resultCode, resultName, issues } = reason;
      const unsaid = issues.filter((issue) => issue.message !== reason.message);
      const message = [reason.message, ...unsaid.map((issue) => `${issue.path}: ${issue.message}`)].join(' ');
      throw new AuthenticatorRefusal({ status, resultCode, resultName, issues, message });
    });
}
