import { Box, ChakraProvider, createSystem, Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { OrgSettings } from '@orchestrate/shared';
import { useState } from 'react';
import { EntranceFooter } from '../../entrance/entrance-footer.tsx';
import { SignInFront } from '../../entrance/sign-in-front.tsx';
import { BREAKPOINTS } from '../../theme/pixels.ts';
import { system } from '../../theme.ts';
import { BrandScope } from '../../ui/brand-scope.tsx';
import { TabList } from '../../ui/tab-list.tsx';

/** Our theme as it looks on that screen, whatever the window; the page's own global styles stay the only ones. */
function systemFor(breakpoints: Record<string, string>): typeof system {
  return { ...createSystem(system._config, { theme: { breakpoints } }), _global: [] };
}

const names = Object.keys(BREAKPOINTS) as (keyof typeof BREAKPOINTS)[];
const systems = {
  // Those that a screen of 1280 pixels has reached are reached in every window, one after the other; the rest in none.
  desktop: systemFor(
    Object.fromEntries(names.map((name, at) => [name, BREAKPOINTS[name] <= 1280 ? `${at + 1}px` : `${99_990 + at}px`])),
  ),
  phone: systemFor(Object.fromEntries(names.map((name, at) => [name, `${99_990 + at}px`]))),
};

const SCREENS = [
  { value: 'desktop', label: t`Desktop` },
  { value: 'phone', label: t`Phone` },
] as const;
type Screen = (typeof SCREENS)[number]['value'];

/** For each screen, its CSS size and the scale at which it is drawn. The desktop is as high as the window. */
const sizes = {
  desktop: { width: '1280px', height: '100dvh', scale: 0.36 },
  phone: { width: '390px', height: '780px', scale: 0.72 },
} as const;

interface BrandingPreviewProps {
  settings: OrgSettings;
}

/** The real sign-in page with these settings; nothing in it can be clicked. */
export function BrandingPreview({ settings }: BrandingPreviewProps) {
  const [screen, setScreen] = useState<Screen>('desktop');
  return (
    <TabList label={t`Preview on`} tabs={SCREENS} value={screen} onChange={setScreen}>
      <Flex justify="center" containerType="inline-size">
        <ChakraProvider value={systems[screen]}>
          <Picture screen={screen} settings={settings} />
        </ChakraProvider>
      </Flex>
    </TabList>
  );
}

function Picture({ screen, settings }: BrandingPreviewProps & { screen: Screen }) {
  const { width, height, scale: largest } = sizes[screen];
  // The quotient of the two widths, where there is less room.
  const scale = `min(${largest}, tan(atan2(100cqw, ${width})))`;
  return (
    <Box
      role="img"
      aria-label={
        screen === 'phone' ? t`Sign-in page on a phone, as it will look` : t`Sign-in page on a desktop, as it will look`
      }
      position="relative"
      overflow="hidden"
      borderWidth="1px"
      borderRadius={screen === 'phone' ? '2xl' : 'l2'}
      boxShadow="md"
      style={{ width: `calc(${width} * ${scale})`, height: `calc(${height} * ${scale})` }}
    >
      <BrandScope
        colour={settings.color}
        inert
        aria-hidden
        display="flex"
        flexDirection="column"
        position="absolute"
        top="0"
        left="0"
        transformOrigin="top left"
        style={{ width, height, transform: `scale(${scale})` }}
      >
        <SignInFront settings={settings} footer={<EntranceFooter settings={settings} />} />
      </BrandScope>
    </Box>
  );
}
