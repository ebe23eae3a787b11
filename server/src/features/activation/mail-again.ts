import type { ActivationData } from '@orchestrate/shared';
import { activationDataOf } from '../../core/members/activation-data.ts';
import { type AskedCode, mailCode } from '../../core/members/issue-code.ts';
import type { Deps } from '../../deps.ts';
import { TOPIC } from '../../platform/live/bus.ts';

/** Mails the current code if at least half of its life is left, else a new one. @throws Refusal as `mailCode` */
export function mailAgain(deps: Deps, request: Omit<AskedCode, 'sendEmail'>): { data: ActivationData; isNew: boolean } {
  const { code, isNew } = deps.db.transaction((tx) => mailCode(deps, tx, request));
  deps.bus.changed(TOPIC.outbox);
  return { data: activationDataOf(code, deps.clock.now(), request.isShown), isNew };
}
