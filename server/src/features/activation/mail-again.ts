import type { ActivationData } from '@orchestrate/shared';
import type { Deps } from '../../deps.ts';
import { type AskedCode, mailCode } from '../../joining/issue-code.ts';
import { TOPIC } from '../../live/bus.ts';
import { activationDataOf } from '../../models/activation-data.ts';

/** Mails the code that can still be used, else a new one. @throws Refusal as `mailCode` */
export function mailAgain(deps: Deps, request: Omit<AskedCode, 'sendEmail'>): { data: ActivationData; isNew: boolean } {
  const { code, isNew } = deps.db.transaction((tx) => mailCode(deps, tx, request), { behavior: 'immediate' });
  deps.bus.changed(TOPIC.outbox);
  return { data: activationDataOf(code, deps.clock.now(), request.isShown), isNew };
}
