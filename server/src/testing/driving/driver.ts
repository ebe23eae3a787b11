import type { AuditAction, AuditActorKind, EndpointDefinition, InputOf } from '@orchestrate/shared';
import * as contract from '@orchestrate/shared';
import { startSession } from '#core/sign-in/sessions.ts';
import { CLIENT, type ForeignProvider } from '#features/portal-oidc/foreign-provider-testing.ts';
import { memberByEmail } from '../device.ts';
import type { Credentials, TestPortal } from '../test-portal.ts';

/** One write, made through the public interface by its usual caller. */
export interface Write {
  /**
   * Its endpoint in the contract, or a description if it has none: a directory's request, a live channel, the portal
   * itself.
   */
  of: EndpointDefinition | string;
  /** Kind of actor in the audit trail. */
  by: AuditActorKind;
  /** The audit events in acme's trail, in order. */
  leaves: readonly AuditAction[];
  /** Prepares the write, and returns a function that makes it and throws if it fails. */
  prepare: () => Promise<() => Promise<unknown>>;
}

export const BOSS = 'super.admin@acme.test';
export const USER = 'user@acme.test';
export const NEWCOMER = 'mara.lindholm@acme.test';
export const PHONE = { name: 'A phone', type: 'mobile' as const, platform: 'Android 16' };

/** Credentials of a request that needs none. */
export const ANYBODY: Credentials = {};

/** Tools shared by the writes of all areas. */
export type Driver = ReturnType<typeof driverOf>;

export function driverOf(portal: TestPortal) {
  const { deps } = portal;
  const tokenOf = (email: string) => {
    const { orgCode, suid, zid } = portal.device(email);
    return startSession(deps, { orgCode, suid, zid, mode: 'QID' }).token;
  };
  const suidOf = (email: string) => memberByEmail(portal, 'acme', email).suid;
  const zidOf = (email: string) => portal.device(email).zid;

  /** Sends a request, as the Super Admin by default. @throws Error if it is refused */
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

  /** Creates a write of an endpoint that needs no preparation other than its input. */
  const write = <const D extends EndpointDefinition>(
    entry: D,
    leaves: readonly AuditAction[],
    input: InputOf<D> | (() => InputOf<D> | Promise<InputOf<D>>),
    as?: string | Credentials,
  ): Write => ({
    of: entry,
    by: as === ANYBODY ? 'visitor' : 'member',
    leaves,
    async prepare() {
      const made = typeof input === 'function' ? await input() : input;
      return () => send(entry, made, as);
    },
  });

  /** A recipient of an activation code, with the kind of device. */
  const newcomer = () => ({
    email: NEWCOMER,
    primaryAttr: memberByEmail(portal, 'acme', NEWCOMER).primaryAttr,
    type: 'mobile' as const,
  });

  /** Returns the code in the latest email to this address. */
  const lastCode = async (to: string) => {
    const { messages } = (await portal.call(contract.readOutbox, { query: { to } })).body;
    return messages.find(({ code }) => code)?.code ?? '';
  };

  return { portal, send, write, tokenOf, suidOf, zidOf, newcomer, lastCode };
}

/** Returns the configuration that makes the foreign provider the organisation's own. */
export const providerAt = ({ issuer }: ForeignProvider) => ({
  ...CLIENT,
  configurationUrl: issuer,
  buttonLabel: 'Foreign',
  enabled: true,
});
