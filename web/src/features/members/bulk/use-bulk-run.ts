import { t } from '@lingui/core/macro';
import type { Member } from '@orchestrate/shared';
import { useEffect, useRef, useState } from 'react';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { useInvalidate } from '#lib/api/use-write.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { currentSession } from '#lib/session/session.ts';
import type { BulkAction, BulkChoice } from './bulk-actions.ts';

/** Outcome for one member. */
export interface BulkResult {
  member: Member;
  state: 'done' | 'unchanged' | 'failed' | 'not tried';
  /** Reason why the action wasn't performed. */
  reason?: string | undefined;
}

export type BulkRun =
  | { step: 'asking' }
  | { step: 'running'; tried: number; failed: number; total: number }
  | { step: 'ended'; results: readonly BulkResult[] };

/** Performs an action on each member in sequence, continuing after failures. */
export function useBulkRun(action: BulkAction) {
  const [run, setRun] = useState<BulkRun>({ step: 'asking' });
  const invalidate = useInvalidate();
  const isStopped = useRef(false);
  useEffect(() => {
    isStopped.current = false;
    return () => {
      isStopped.current = true;
    };
  }, []);

  const start = async (members: readonly Member[], choice: BulkChoice, before: readonly BulkResult[] = []) => {
    isStopped.current = false;
    const results: BulkResult[] = [];
    const total = members.length;
    let failed = 0;
    for (const member of members) {
      // The session has ended. Further calls would fail, and there is no page left to show the result.
      if (!currentSession()) return;
      setRun({ step: 'running', tried: results.length, failed, total });
      if (isStopped.current)
        results.push({ member, state: 'not tried', reason: t`Not attempted because you stopped the action` });
      else results.push(await resultOf(action, member, choice));
      if (results.at(-1)?.state === 'failed') failed += 1;
    }
    if (!currentSession()) return;
    await invalidate('Member Profile', 'Device Listing', 'Member Login History');
    setRun({ step: 'ended', results: [...before, ...results] });
  };
  return {
    run,
    start,
    /** Repeats the action for members for which it failed or wasn't attempted. */
    retry: (choice: BulkChoice) => {
      if (run.step !== 'ended') return;
      const isOpen = ({ state }: BulkResult) => state === 'failed' || state === 'not tried';
      const again = run.results.filter(isOpen).map(({ member }) => member);
      void start(
        again,
        choice,
        run.results.filter((result) => !isOpen(result)),
      );
    },
    /** Stops after the current member. */
    stop: () => {
      isStopped.current = true;
    },
  };
}

async function resultOf(action: BulkAction, member: Member, choice: BulkChoice): Promise<BulkResult> {
  try {
    const reason = await action.run(member, choice);
    return { member, state: reason === undefined ? 'done' : 'unchanged', reason };
  } catch (failure) {
    if (!(failure instanceof ApiRefusal)) throw failure;
    return { member, state: 'failed', reason: resultText(failure) };
  }
}
