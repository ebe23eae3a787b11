import { type JournalEntry, makeSession, readJournal, restoreSnapshot, STORED_SESSION } from '@orchestrate/shared';
import { deviceOfVirtual } from '@orchestrate/shared/authenticator';
import { useCallback, useEffect, useRef, useState } from 'react';
import { addAccount, readPhone, removeAccount } from '#authenticator/phone/phone-storage.ts';
import { useFollowed } from '#lab/lab-news.tsx';
import { call } from '#lib/api/call.ts';
import { writeStored } from '#lib/browser/stored.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { HandFailed, type Scene, type Stage, stepsDone } from '../scenes/scene.ts';
import { castDevice, castEmail } from '../world/demo-world.ts';
import type { PreparedStage } from './prepare-demo.ts';

/**
 * Everything as it was when the stage was opened, and then what the scene begins with: who is signed in, and whose
 * phone it is. Browser and phone must be closed meanwhile: they share their storage with this page.
 * @returns the number of the journal's last entry before the scene
 */
async function setScene(stage: PreparedStage, scene: Scene): Promise<number> {
  await call(restoreSnapshot, { params: { snapshotId: stage.snapshotId } });
  for (const { zid } of readPhone().accounts) removeAccount(zid);
  writeStored(STORED_SESSION.session, null);
  writeStored(STORED_SESSION.organisation, stage.orgCode);
  writeStored('orchestrate.remembered', null);
  const zid = scene.phoneOf && castDevice(scene.phoneOf);
  const device = stage.devices.find((virtual) => virtual.zid === zid);
  const account = device && deviceOfVirtual(device);
  if (account) addAccount(account);
  if (scene.browserAs) {
    const email = castEmail(stage.orgCode, scene.browserAs);
    const { storageState } = await call(makeSession, { body: { email, org: stage.orgCode } });
    for (const { name, value } of storageState.origins[0]?.localStorage ?? []) writeStored(name, value);
  }
  const { last } = await call(readJournal, { query: { limit: 1 } });
  return last;
}

/** One go of a scene. */
interface Run {
  scene: Scene;
  /** Counts up, so that browser and phone begin again. */
  number: number;
  /** The journal's last entry before it; undefined while the scene is being set. */
  after: number | undefined;
}

const NOTHING: readonly JournalEntry[] = [];
const PAGE_MAX = 500;
/** What a step does is recorded within this time, unless it has failed. */
const RECORDED_WITHIN_MS = 4_000;

/** Plays one scene at a time. @param chosen begins when it is chosen */
export function usePlay(prepared: PreparedStage, chosen: Scene) {
  const [run, setRun] = useState<Run>({ scene: chosen, number: 0, after: undefined });
  /** The step that is being shown, by its place. */
  const [shown, setShown] = useState<number>();
  const [problem, setProblem] = useState<string>();
  /** Scenes are set one after the other; only the last one that was chosen is played. */
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
          const after = await setScene(prepared, scene);
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
  const { data } = useFollowed(readJournal, after === undefined ? null : { query: { after, limit: PAGE_MAX } });
  const entries = data?.entries ?? NOTHING;
  const done = stepsDone(scene.steps, entries);

  const isShowing = shown === done;
  const show = async (stage: Stage) => {
    const step = scene.steps[done];
    if (!step?.show || isShowing) return;
    const isLatest = () => number === latest.current;
    setShown(done);
    setProblem(undefined);
    try {
      await step.show(stage);
      // Until the portal has recorded it, so that nobody has it done twice.
      await new Promise((resolve) => setTimeout(resolve, RECORDED_WITHIN_MS));
    } catch (failure) {
      if (isLatest()) setProblem(failure instanceof HandFailed ? failure.message : resultText(failure));
    }
    if (isLatest()) setShown((now) => (now === done ? undefined : now));
  };

  return { scene, number, isSet: after !== undefined, entries, done, begin, show, isShowing, problem };
}

export type Play = ReturnType<typeof usePlay>;
