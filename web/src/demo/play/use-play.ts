import { type JournalEntry, makeSession, readJournal, restoreSnapshot, STORED_SESSION } from '@orchestrate/shared';
import { deviceOfVirtual } from '@orchestrate/shared/authenticator';
import { useCallback, useEffect, useRef, useState } from 'react';
import { addAccount, readPhone, removeAccount } from '#authenticator/phone/phone-storage.ts';
import { useLiveRead } from '#lab/lab-updates.tsx';
import { call } from '#lib/api/call.ts';
import { writeStored } from '#lib/browser/stored.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { countCompletedSteps, type Scene, StepError, type StepTools } from '../scenes/scene.ts';
import { castDeviceId, castEmail } from '../world/demo-world.ts';
import type { PreparedDemo } from './prepare-demo.ts';

/**
 * Resets the demo, signs the browser in and sets up the phone for a scene. Browser and phone must be closed while
 * this runs, because they share this page's storage.
 * @returns the number of the last journal entry before the scene
 */
async function prepareScene(demo: PreparedDemo, scene: Scene): Promise<number> {
  await call(restoreSnapshot, { params: { snapshotId: demo.snapshotId } });
  for (const { zid } of readPhone().accounts) removeAccount(zid);
  writeStored(STORED_SESSION.session, null);
  writeStored(STORED_SESSION.organisation, demo.orgCode);
  writeStored('orchestrate.remembered', null);
  const zid = scene.phoneOf && castDeviceId(scene.phoneOf);
  const device = demo.devices.find((virtual) => virtual.zid === zid);
  const account = device && deviceOfVirtual(device);
  if (account) addAccount(account);
  if (scene.browserAs) {
    const email = castEmail(demo.orgCode, scene.browserAs);
    const { storageState } = await call(makeSession, { body: { email, org: demo.orgCode } });
    for (const { name, value } of storageState.origins[0]?.localStorage ?? []) writeStored(name, value);
  }
  const { last } = await call(readJournal, { query: { limit: 1 } });
  return last;
}

/** One playthrough of a scene. */
interface Run {
  scene: Scene;
  /** Counts up to remount the browser and the phone. */
  number: number;
  /** Number of the last journal entry before the run. Undefined while the scene is being prepared. */
  after: number | undefined;
}

const NOTHING: readonly JournalEntry[] = [];
const PAGE_MAX = 500;
/** A step's events are recorded within this time, in milliseconds, unless the step has failed. */
const RECORDED_WITHIN_MS = 4_000;

/** Plays one scene at a time. @param chosen the selected scene, which starts immediately */
export function usePlay(prepared: PreparedDemo, chosen: Scene) {
  const [run, setRun] = useState<Run>({ scene: chosen, number: 0, after: undefined });
  /** Index of the step being demonstrated. */
  const [shown, setShown] = useState<number>();
  const [problem, setProblem] = useState<string>();
  /** Number of the latest run. Scenes are prepared one after another, but only the latest scene is played. */
  const latest = useRef(0);
  const setting = useRef<Promise<unknown>>(Promise.resolve());

  const begin = useCallback(
    (scene: Scene) => {
      latest.current += 1;
      const number = latest.current;
      setRun({ scene, number, after: undefined });
      setProblem(undefined);
      setShown(undefined);
      setting.current = setting.current.then(async () => {
        if (number !== latest.current) return;
        try {
          const after = await prepareScene(prepared, scene);
          if (number === latest.current) setRun({ scene, number, after });
        } catch (failure) {
          if (number === latest.current) setProblem(resultText(failure));
        }
      });
    },
    [prepared],
  );
  useEffect(() => begin(chosen), [begin, chosen]);

  const { after, scene, number } = run;
  const { data } = useLiveRead(readJournal, after === undefined ? null : { query: { after, limit: PAGE_MAX } });
  const entries = data?.entries ?? NOTHING;
  const done = countCompletedSteps(scene.steps, entries);

  const isShowing = shown === done;
  const show = async (tools: StepTools) => {
    const step = scene.steps[done];
    if (!step?.show || isShowing) return;
    const isLatest = () => number === latest.current;
    setShown(done);
    setProblem(undefined);
    try {
      await step.show(tools);
      // Wait until the portal has recorded the step, to prevent the user from repeating it in the meantime.
      await new Promise((resolve) => setTimeout(resolve, RECORDED_WITHIN_MS));
    } catch (failure) {
      if (isLatest()) setProblem(failure instanceof StepError ? failure.message : resultText(failure));
    }
    if (isLatest()) setShown((now) => (now === done ? undefined : now));
  };

  return { scene, number, isSet: after !== undefined, entries, done, begin, show, isShowing, problem };
}

export type Play = ReturnType<typeof usePlay>;
