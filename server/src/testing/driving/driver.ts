import type { AuditAction, AuditActorKind, EndpointDefinition, InputOf } from '@orchestrate/shared';
import * as contract from '@orchestrate/shared';
import { startSession } from '#core/sign-in/sessions.ts';
import { CLIENT, type ForeignProvider } from '#features/portal-oidc/foreign-provider-testing.ts';
import { memberByEmail } from '../device.ts';
import type { Credentials, TestPortal } from '../test-portal.ts';

/** A write made through the public interface, as its usual client would make it. */
export interface Write {
  /** The contract endpoint. If there is none, describes the directory request, live channel or portal action. */
  of: EndpointDefinition | string;
  /** Actor kind in the audit trail. */
  by: AuditActorKind;
  /** Expected events in acme's audit trail, in order. */
  leaves: readonly AuditAction[];
  /** Prepares the write and returns a function that performs it. The function throws if the write fails. */
  prepare: () => Promise<() => Promise<unknown>>;
}

export const BOSS = 'super.admin@acme.test';
export const USER = 'user@acme.test';
export const NEWCOMER = 'mara.lindholm@acme.test';
export const PHONE = { name: 'A phone', type: 'mobile' as const, platform: 'Android 16' };

/** No credentials, for requests that need none. */
export const NO_CREDENTIALS: Credentials = {};

/** Tools shared by all groups of writes. */
export type Driver = ReturnType<typeof driverOf>;

export function driverOf(portal: TestPortal) {
  const { deps } = portal;
  const tokenOf = (email: string) => {
    const { orgCode, suid, zid } = portal.device(email);
    return startSession(deps, { orgCode, suid, zid, mode: 'QID' }).token;
  };
  const suidOf = (email: string) => memberByEmail(portal, 'acme', email).suid;
  const zidOf = (email: string) => portal.device(email).zid;

  /** Sends a request, by default as the Super Admin. @throws Error if the request is refused */
  async function send<const D extends EndpointDefinition>(
    entry: D,
    input: InputOf<D>,
    as: string | Credentials = BOSS,
  ) {
    const by = typeof as === 'string' ? { token: tokenOf(as) } : as;
    const answer = await portal.call(entry, input, by);
    const { resultName, message } = answer.body;
    if (answer.status >= 400 || resultName)
      throw new Error(`${entry.path}: ${answer.status} ${resultName} ${message} ${JSON.stringify(answer.body.issues)}`);
    return answer.body;
  }

  /** Creates a write for an endpoint that needs no preparation except its input. */
  const write = <const D extends EndpointDefinition>(
    entry: D,
    leaves: readonly AuditAction[],
    input: InputOf<D> | (() => InputOf<D> | Promise<InputOf<D>>),
    as?: string | Credentials,
  ): Write => ({
    of: entry,
    by: as === NO_CREDENTIALS ? 'visitor' : 'member',
    leaves,
    async prepare() {
      const made = typeof input === 'function' ? await input() : input;
      return () => send(entry, made, as);
    },
  });

  /** Recipient of an activation code and the kind of device. */
  const newcomer = () => ({
    email: NEWCOMER,
    primaryAttr: memberByEmail(portal, 'acme', NEWCOMER).primaryAttr,
    type: 'mobile' as const,
  });

  /** Returns the code in the latest email sent to an address. */
  const lastCode = async (to: string) => {
    const { messages } = (await portal.call(contract.readOutbox, { query: { to } })).body;
    return messages.find(({ code }) => code)?.code ?? '';
  };

  return { portal, send, write, tokenOf, suidOf, zidOf, newcomer, lastCode };
}

/** Returns the configuration for using the foreign provider as the organisation's own. */
export const providerAt = ({ issuer }: ForeignProvider) => ({
  ...CLIENT,
  configurationUrl: issuer,
  buttonLabel: 'Foreign',
  enabled: true,
});
