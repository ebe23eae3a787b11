import { Button, chakra, Flex, Heading, Kbd } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Keyboard, KeyboardOff, Moon, RotateCcw, Sun } from 'lucide-react';
import { useColourMode } from '#lib/browser/colour-mode.ts';
import { ActionButton } from '#ui/feedback/action-button.tsx';
import { BrandMark } from '#ui/text/brand-mark.tsx';
import type { Scene } from '../scenes/scene.ts';
import { SCENES } from '../scenes/scenes.ts';

interface DemoHeaderProps {
  name: string;
  scene: Scene;
  onPlay: (scene: Scene) => void;
  hasKeys: boolean;
  onKeys: (isOn: boolean) => void;
}

/** Displays the organisation's name, the scenes with their keys, and the reset button. */
export function DemoHeader({ name, scene: present, onPlay, hasKeys, onKeys }: DemoHeaderProps) {
  const { mode, toggle } = useColourMode();
  return (
    <Flex
      as="header"
      align="center"
      gap={{ base: '2', sm: '4' }}
      wrap={{ base: 'wrap', sm: 'nowrap' }}
      minH="14"
      px={{ base: '4', sm: '5' }}
      py="2"
      bg="bg.panel"
      borderBottomWidth="1px"
    >
      <Flex align="center" gap="2.5" minW="0" flex={{ base: '1', sm: '0 1 auto' }} maxW={{ sm: '52' }}>
        <BrandMark name={name} />
        <Heading as="h1" size="sm" truncate>
          {name}
        </Heading>
      </Flex>
      <chakra.nav
        aria-label={t`Scenes`}
        order={{ base: 1, sm: 0 }}
        w={{ base: 'full', sm: 'auto' }}
        flex={{ sm: '1' }}
        minW="0"
        overflowX="auto"
      >
        <chakra.ol display="flex" gap="1" listStyleType="none" justifyContent={{ sm: 'safe center' }} p="1">
          {SCENES.map((scene, at) => (
            <li key={scene.title}>
              <chakra.button
                type="button"
                aria-current={scene === present ? 'true' : undefined}
                onClick={() => onPlay(scene)}
                display="flex"
                alignItems="center"
                gap="1.5"
                h="8"
                px="2.5"
                borderRadius="l2"
                textStyle="sm"
                fontWeight="medium"
                whiteSpace="nowrap"
                color="fg.muted"
                cursor="pointer"
                outline="0"
                focusVisibleRing="outside"
                _hover={{ bg: 'bg.muted', color: 'fg' }}
                css={{ '&[aria-current]': { bg: 'brand.subtle', color: 'fg', fontWeight: 'semibold' } }}
              >
                {hasKeys && (
                  <Kbd aria-hidden hideBelow="sm">
                    {at + 1}
                  </Kbd>
                )}
                {scene.short}
              </chakra.button>
            </li>
          ))}
        </chakra.ol>
      </chakra.nav>
      <Flex align="center" gap="1" flexShrink="0">
        <Button variant="outline" size="sm" onClick={() => onPlay(present)}>
          <RotateCcw aria-hidden />
          {t`Reset`}
          {hasKeys && (
            <Kbd aria-hidden hideBelow="sm">
              R
            </Kbd>
          )}
        </Button>
        <chakra.span hideBelow="sm">
          <ActionButton
            label={hasKeys ? t`Turn shortcuts off` : t`Turn shortcuts on`}
            size="md"
            onClick={() => onKeys(!hasKeys)}
          >
            {hasKeys ? <Keyboard /> : <KeyboardOff />}
          </ActionButton>
        </chakra.span>
        <ActionButton label={mode === 'dark' ? t`Light mode` : t`Dark mode`} size="md" onClick={toggle}>
          {mode === 'dark' ? <Sun /> : <Moon />}
        </ActionButton>
      </Flex>
    </Flex>
  );
}
