import { type PendingChallenge, readRequests } from '@orchestrate/shared';
import { PortalRefusal } from '@orchestrate/shared/authenticator';
import type { Session } from './session.ts';

/**
 * The number that the browser shows for a request, as the lab knows it; undefined without a number or without a lab.
 */
export async function shownNumber({ lab }: Session, challenge: PendingChallenge): Promise<string | undefined> {
  if (!challenge.numberChoices) return undefined;
  try {
    const { requests } = await lab(readRequests, {});
    return requests.find(({ challengeId }) => challengeId === challenge.challengeId)?.matchNumber;
  } catch (failure) {
    // Off, or closed to this caller: then a person has to say it.
    if (failure instanceof PortalRefusal) return undefined;
    throw failure;
  }
}
