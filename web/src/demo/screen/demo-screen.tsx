import { Box, chakra, Flex, Grid, Skeleton } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { startOfDay } from 'date-fns';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useAddressChange } from '#lib/address/use-address-change.ts';
import { DEMO_FRAME, useIsDesktop } from '#lib/browser/use-media.ts';
import { portalNow } from '#lib/time/portal-time.ts';
import { paths } from '#paths.ts';
import { BrandScope } from '#ui/text/brand-scope.tsx';
import { frameDriver } from '../play/frame-driver.ts';
import type { PreparedDemo } from '../play/prepare-demo.ts';
import { useDemoKeys } from '../play/use-demo-keys.ts';
import { usePlay } from '../play/use-play.ts';
import type { Scene, StepTools } from '../scenes/scene.ts';
import { SCENES } from '../scenes/scenes.ts';
import { firstSignIn } from '../scenes/usual-steps.ts';
import { StreamPanel } from '../stream/stream-panel.tsx';
import { castEmail } from '../world/demo-world.ts';
import { BrowserWindow } from './browser-window.tsx';
import { DemoHeader } from './demo-header.tsx';
import { morningOf, usePeople } from './morning-of.ts';
import { MorningStrip } from './morning-strip.tsx';
import { ScenePanel } from './scene-panel.tsx';

/** Events that make a dialog treat an interaction as outside. */
const OUTSIDE: ReadonlySet<string> = new Set(['pointerdown', 'focusin']);

/**
 * Keeps dialogs in the frames open when the user presses elsewhere in the demo. To detect such presses, dialogs also
 * add listeners to the window around their frame, and this hook makes the window ignore these listeners. React isn't
 * affected, because it listens on the document.
 */
function useIgnoreOutsidePresses(): void {
  useLayoutEffect(() => {
    const listen = window.addEventListener;
    window.addEventListener = (...[type, ...rest]: Parameters<typeof listen>) => {
      if (!OUTSIDE.has(type)) listen.call(window, type, ...rest);
    };
    return () => {
      window.addEventListener = listen;
    };
  }, []);
}

const PARAMETER = 'scene';

/** Returns the scene selected in the address, or the first scene by default, and a function that selects a scene. */
function useSceneAddress(first: Scene) {
  const [search] = useSearchParams();
  const change = useAddressChange();
  return {
    chosen: SCENES[Number(search.get(PARAMETER)) - 1] ?? first,
    choose: (scene: Scene) => change({ [PARAMETER]: String(SCENES.indexOf(scene) + 1) }, { isStep: true }),
  };
}

const SCALE_MIN = 0.6;

interface ScaledFrameProps {
  title: string;
  src: string;
  /**
   * Minimum layout width of the page, in px. If less space is available, the page is scaled down. 0 uses the
   * available width.
   */
  width: number;
  frame: RefObject<HTMLIFrameElement | null>;
  /** Called with each loaded page's window. */
  onPage: (page: Window | null) => void;
}

/** Displays a portal page in a frame that fills the available space. */
function ScaledFrame({ title, src, width, frame, onPage }: ScaledFrameProps) {
  const container = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width, height: 0 });
  useEffect(() => {
    if (!container.current) return;
    const watch = new ResizeObserver(([entry]) => {
      // Ignore hidden tabs, to avoid laying out the page at a width of 0.
      if (entry && entry.contentRect.width > 0) setSize(entry.contentRect);
    });
    watch.observe(container.current);
    return () => watch.disconnect();
  }, []);
  const scale = width > 0 ? Math.min(1, Math.max(SCALE_MIN, size.width / width)) : 1;
  return (
    <Box ref={container} position="relative" flex="1" minH="0" w="full" overflow="hidden">
      <chakra.iframe
        ref={frame}
        name={DEMO_FRAME}
        title={title}
        src={src}
        onLoad={({ currentTarget }) => onPage(currentTarget.contentWindow)}
        position="absolute"
        top="0"
        left="0"
        border="0"
        bg="bg"
        transformOrigin="0 0"
        style={{
          width: `${size.width / scale}px`,
          height: `${size.height / scale}px`,
          transform: `scale(${scale})`,
        }}
      />
    </Box>
  );
}

const PANELS = [
  ['browser', t`Browser`],
  ['phone', t`Phone`],
  ['stream', t`Live events`],
] as const;
type PanelName = (typeof PANELS)[number][0];

interface PanelTabsProps {
  value: PanelName;
  onChange: (panel: PanelName) => void;
}

/** Selects the panel on small screens. The other panels stay active, so the buttons are toggles instead of tabs. */
function PanelTabs({ value, onChange }: PanelTabsProps) {
  return (
    <chakra.div
      role="group"
      aria-label={t`Panels`}
      display="flex"
      gap="1"
      p="1"
      bg="bg.panel"
      borderRadius="l2"
      borderWidth="1px"
    >
      {PANELS.map(([name, label]) => (
        <chakra.button
          key={name}
          type="button"
          aria-pressed={name === value}
          onClick={() => onChange(name)}
          flex="1"
          h="9"
          borderRadius="l1"
          textStyle="sm"
          fontWeight="medium"
          color="fg.muted"
          cursor="pointer"
          outline="0"
          focusVisibleRing="outside"
          css={{ '&[aria-pressed=true]': { bg: 'bg.emphasized', color: 'fg', fontWeight: 'semibold' } }}
        >
          {label}
        </chakra.button>
      ))}
    </chakra.div>
  );
}

/** Draws a phone around a page. Uses the available height, or on small screens the available width. */
function PhoneBody({ children }: { children: ReactNode }) {
  return (
    <Flex
      mx="auto"
      h="full"
      maxH="full"
      w={{ base: 'full', sm: 'auto' }}
      maxW={{ base: '24rem', sm: 'full' }}
      aspectRatio={{ sm: '390 / 800' }}
      p={{ base: '2', sm: '2.5' }}
      bg="#0C0B0A"
      borderRadius={{ base: '32px', sm: '42px' }}
      outline="1px solid {colors.border.emphasized}"
      boxShadow="lg"
    >
      <Flex flex="1" minW="0" borderRadius={{ base: '24px', sm: '32px' }} overflow="hidden" bg="bg">
        {children}
      </Flex>
    </Flex>
  );
}

/** Minimum layout width of the browser panel on a desktop, in px. Small screens use the available width. */
const BROWSER_PX = 820;
const PHONE_PX = 360;

/** Displays browser, phone and events side by side. Small screens display one of them at a time. */
export function DemoScreen({ prepared }: { prepared: PreparedDemo }) {
  const { orgCode, name, colour } = prepared;
  useIgnoreOutsidePresses();
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
  const tools = useMemo<StepTools>(
    () => ({
      orgCode,
      browser: frameDriver(() => browser.current),
      phone: frameDriver(() => phone.current),
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
    void show(tools);
  };
  const { listenIn } = useDemoKeys((key) => {
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
      <DemoHeader name={name} scene={scene} onPlay={playScene} hasKeys={hasKeys} onKeys={setHasKeys} />
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
        // On a real phone, leave enough height to fit a request on the simulated phone, even if the page has to
        // scroll.
        templateRows={{ base: 'auto auto minmax(36rem, 1fr)', sm: 'minmax(0, 1fr)' }}
      >
        {!isDesktop && <ScenePanel play={play} email={tools.emailOf(scene.who)} onShow={showStep} isShort />}
        {!isDesktop && <PanelTabs value={panel} onChange={setPanel} />}
        <Panel isShown={panel === 'browser'} label={t`Browser`}>
          <BrowserWindow>
            {(onPage) =>
              isSet ? (
                <ScaledFrame
                  key={number}
                  title={t`The browser`}
                  src={scene.browserAt(orgCode)}
                  width={isDesktop ? BROWSER_PX : 0}
                  frame={browser}
                  onPage={(page) => {
                    onPage(page);
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
        <Panel isShown={panel === 'stream'} label={t`Live events`}>
          <Flex direction="column" gap="4" h="full" minH="0" overflowY={{ sm: 'auto' }}>
            {isDesktop && (
              <ScenePanel play={play} email={tools.emailOf(scene.who)} onShow={showStep} hasKeys={hasKeys} />
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
  /** True if the panel is selected on a small screen, which has room for only one panel. */
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
