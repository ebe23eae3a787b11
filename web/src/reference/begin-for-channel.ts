import { addDevice, type ListedPerson, login, makeSession, startVerbal, testDevice } from '@orchestrate/shared';
import { createPortalCall, type PortalCall } from '@orchestrate/shared/authenticator';
import { call } from '../lib/api/call.ts';

/** Somebody who is signed in for one try. */
export interface TriedPerson {
  token: string;
  suid: string;
  orgCode: string;
  /** Calls the portal as this person. */
  as: PortalCall;
}

/** A session of its own for one of the lab's people. @throws ApiRefusal */
export async function sessionOf({ email, orgCode }: ListedPerson): Promise<TriedPerson> {
  const { token, orgId, profile } = await call(makeSession, { body: { email, org: orgCode } });
  const headers = { authorization: `Bearer ${token}` };
  return {
    token,
    suid: profile.suid,
    orgCode: orgId,
    as: createPortalCall({ baseUrl: window.location.origin, headers }),
  };
}

type Beginning = (person: TriedPerson) => Promise<Record<string, string>>;

/** By channel: begins what it follows, and answers with what its query asks for. */
const BEGINNINGS: Readonly<Record<string, Beginning>> = {
  async login({ orgCode }) {
    const { loginId = '' } = await call(login, { body: { orgCode, mode: 'QID' } });
    return { loginId };
  },
  async verbal({ orgCode, as }) {
    const { epoch } = await as(startVerbal, { query: {} });
    return { epoch, org: orgCode };
  },
  async testDevice({ orgCode, as }) {
    const { qid } = await as(testDevice, { params: { orgCode } });
    return { qid, org: orgCode };
  },
  async addDevice({ suid, as }) {
    const { aid = '' } = await as(addDevice, { body: { suid, type: 'QID', mode: 'mobile' } });
    return { suid, aid };
  },
  bulkInvite: async () => ({ uploadId: 'my-upload' }),
};

/**
 * Begins what a channel follows; undefined where it follows nothing that has to be begun. @param name of the channel
 */
export const beginningOf = (name: string): Beginning | undefined => BEGINNINGS[name];
