import { chakra, Flex, Grid, Skeleton } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { startOfDay } from 'date-fns';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { useIsDesktop } from '../../lib/browser/use-media.ts';
import { portalNow } from '../../lib/time/portal-time.ts';
import { paths } from '../../paths.ts';
import { BrandScope } from '../../ui/brand-scope.tsx';
import { frameHand } from '../play/frame-hand.ts';
import type { PreparedStage } from '../play/prepare-stage.ts';
import { useOwnWindow } from '../play/use-own-window.ts';
import { usePeople } from '../play/use-people.ts';
import { usePlay } from '../play/use-play.ts';
import { useSceneAddress } from '../play/use-scene-address.ts';
import { useStageKeys } from '../play/use-stage-keys.ts';
import { firstSignIn } from '../scenes/first-sign-in.ts';
import type { Scene, Stage } from '../scenes/scene.ts';
import { SCENES } from '../scenes/scenes.ts';
import { StreamPanel } from '../stream/stream-panel.tsx';
import { castEmail } from '../world/stage-world.ts';
import { BrowserWindow } from './browser-window.tsx';
import { morningOf } from './morning-of.ts';
import { MorningStrip } from './morning-strip.tsx';
import { type PanelName, PanelTabs } from './panel-tabs.tsx';
import { PhoneBody } from './phone-body.tsx';
import { ScaledFrame } from './scaled-frame.tsx';
import { ScenePanel } from './scene-panel.tsx';
import { StageHeader } from './stage-header.tsx';

/** On a desktop the pages are laid out at least this wide, and drawn smaller; on a phone as wide as there is room. */
const BROWSER_PX = 820;
const PHONE_PX = 360;

/** Browser, phone and what happens between them, side by side; on a small screen one at a time. */
export function StageScreen({ prepared }: { prepared: PreparedStage }) {
  const { orgCode, name, colour } = prepared;
  useOwnWindow();
  const { chosen, choose } = useSceneAddress(firstSignIn);
  const play = usePlay(prepared, chosen);
  const { scene, number, isSet, entries, begin, show } = play;
  const playScene = (next: Scene) => (next === chosen ? begin(next) : choose(next));
  const people = usePeople();
  const [panel, setPanel] = useState<PanelName>('browser');
  const isDesktop = useIsDesktop();
  const [hasKeys, setHasKeys] = useState(true);
  const browser = useRef<HTMLIFrameElement>(null);
  const phone = useRef<HTMLIFrameElement>(null);
  const stage = useMemo<Stage>(
    () => ({
      orgCode,
      browser: frameHand(() => browser.current),
      phone: frameHand(() => phone.current),
      emailOf: (cast) => castEmail(orgCode, cast),
    }),
    [orgCode],
  );
  const names = useMemo(
    () =>
      new Map(people.map(({ email, firstName, lastName }) => [email, [firstName, lastName].filter(Boolean).join(' ')])),
    [people],
  );
  const morning = people.length > 0 && morningOf(people, startOfDay(portalNow()).getTime(), portalNow());
  const showStep = () => {
    const step = scene.steps[play.done];
    if (!isSet || !step?.show) return;
    setPanel(step.at);
    void show(stage);
  };
  const { listenIn } = useStageKeys((key) => {
    if (key === 's') return showStep();
    const next = key === 'r' ? scene : SCENES[Number(key) - 1];
    if (next) playScene(next);
  }, hasKeys);

  return (
    <BrandScope
      colour={colour}
      display="flex"
      flexDirection="column"
      h={{ sm: 'view' }}
      minH={{ base: 'view', sm: '0' }}
    >
      <title>{`${scene.title} · ${name}`}</title>
      <StageHeader name={name} scene={scene} onPlay={playScene} hasKeys={hasKeys} onKeys={setHasKeys} />
      {isDesktop && morning && <MorningStrip morning={morning} />}
      <Grid
        as="main"
        flex="1"
        minH="0"
        gap="4"
        p={{ base: '3', sm: '4' }}
        bg="bg.muted"
        templateColumns={{
          base: 'minmax(0, 1fr)',
          sm: 'minmax(0, 1fr) 15rem 18rem',
          md: 'minmax(0, 1fr) 18rem 20rem',
          lg: 'minmax(0, 1fr) 22rem 23rem',
        }}
        // On a phone as high as a request on the phone inside, even where the page has to scroll then.
        templateRows={{ base: 'auto auto minmax(36rem, 1fr)', sm: 'minmax(0, 1fr)' }}
      >
        {!isDesktop && <ScenePanel play={play} email={stage.emailOf(scene.who)} onShow={showStep} isShort />}
        {!isDesktop && <PanelTabs value={panel} onChange={setPanel} />}
        <Panel isShown={panel === 'browser'} label={t`Browser`}>
          <BrowserWindow>
            {(onPlace) =>
              isSet ? (
                <ScaledFrame
                  key={number}
                  title={t`The browser`}
                  src={scene.browserAt(orgCode)}
                  width={isDesktop ? BROWSER_PX : 0}
                  frame={browser}
                  onPage={(page) => {
                    onPlace(page);
                    listenIn(page);
                  }}
                />
              ) : (
                <Skeleton flex="1" borderRadius="0" />
              )
            }
          </BrowserWindow>
        </Panel>
        <Panel isShown={panel === 'phone'} label={t`Phone`}>
          <PhoneBody>
            {isSet && (
              <ScaledFrame
                key={number}
                title={t`The phone`}
                src={scene.phoneAt?.(orgCode) ?? paths.authenticator}
                width={PHONE_PX}
                frame={phone}
                onPage={listenIn}
              />
            )}
          </PhoneBody>
        </Panel>
        <Panel isShown={panel === 'stream'} label={t`What happens`}>
          <Flex direction="column" gap="4" h="full" minH="0" overflowY={{ sm: 'auto' }}>
            {isDesktop && (
              <ScenePanel play={play} email={stage.emailOf(scene.who)} onShow={showStep} hasKeys={hasKeys} />
            )}
            <StreamPanel entries={entries} names={names} />
            {!isDesktop && morning && <MorningStrip morning={morning} />}
          </Flex>
        </Panel>
      </Grid>
    </BrandScope>
  );
}

interface PanelProps {
  label: string;
  /** On a small screen, where there is room for one. */
  isShown: boolean;
  children: ReactNode;
}

function Panel({ label, isShown, children }: PanelProps) {
  return (
    <chakra.section aria-label={label} minW="0" minH="0" display={{ base: isShown ? 'block' : 'none', sm: 'block' }}>
      {children}
    </chakra.section>
  );
}
