import { Box, Button, chakra, Flex, Text } from '@chakra-ui/react';
import { keyframes } from '@emotion/react';
import { t } from '@lingui/core/macro';
import type { OrgSettings } from '@orchestrate/shared';
import { Pause, Play, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { Modal } from '#ui/dialog/modal.tsx';
import { HowItWorksScene } from './how-it-works-scene.tsx';

const SCENE_SECONDS = 5;
const fill = keyframes({ from: { transform: 'scaleX(0)' }, to: { transform: 'scaleX(1)' } });

const scenesFor = ({ mobileAppEnabled }: OrgSettings) => [
  {
    title: t`Your browser shows a code`,
    text: mobileAppEnabled
      ? t`The code is valid for two minutes. Have the phone with your authenticator ready.`
      : t`The code is valid for two minutes. Have the computer with your authenticator ready.`,
  },
  {
    title: t`Scan it with your authenticator`,
    text: mobileAppEnabled
      ? t`No camera? Type the eight-character code, or have us send a request to your phone.`
      : t`No camera? Type the eight-character code, or have us send a request to your computer.`,
  },
  {
    title: mobileAppEnabled ? t`Approve on your phone` : t`Approve on your computer`,
    text: t`Check that the request is yours, then approve it. Your dashboard opens in the browser.`,
  },
];

interface ChapterProps {
  title: string;
  isPast: boolean;
  isPresent: boolean;
  isRunning: boolean;
  onChoose: () => void;
  onEnd: () => void;
}

/** Timeline segment that fills while its scene plays and then starts the next scene. */
function Chapter({ title, isPast, isPresent, isRunning, onChoose, onEnd }: ChapterProps) {
  return (
    <chakra.button
      type="button"
      aria-label={title}
      aria-current={isPresent ? 'step' : undefined}
      onClick={onChoose}
      flex="1"
      h="6"
      display="flex"
      alignItems="center"
      cursor="pointer"
      outline="0"
      borderRadius="xs"
      focusVisibleRing="outside"
    >
      <Box w="full" h="1" borderRadius="full" bg="bg.emphasized" overflow="hidden">
        {(isPast || isPresent) && (
          <Box
            h="full"
            bg="brand.line"
            transformOrigin="left"
            onAnimationEnd={onEnd}
            css={
              isPresent
                ? {
                    animation: `${fill} ${SCENE_SECONDS}s linear both`,
                    animationPlayState: isRunning ? 'running' : 'paused',
                  }
                : undefined
            }
          />
        )}
      </Box>
    </chakra.button>
  );
}

/** Short film with three animated scenes. With reduced motion, users step through the scenes manually. */
export default function HowItWorksDialog({ settings, onClose }: { settings: OrgSettings; onClose: () => void }) {
  const scenes = scenesFor(settings);
  const last = scenes.length - 1;
  const [isStill] = useState(() => window.matchMedia('(prefers-reduced-motion: reduce)').matches);
  const [scene, setScene] = useState(0);
  const [isPlaying, setIsPlaying] = useState(!isStill);
  const [hasEnded, setHasEnded] = useState(false);
  const shown = scenes[scene];

  const choose = (next: number) => {
    setScene(next);
    setHasEnded(false);
    setIsPlaying(!isStill);
  };
  const end = () => (scene === last ? setHasEnded(true) : setScene(scene + 1));
  const again = hasEnded || (isStill && scene === last);

  return (
    <Modal isOpen onClose={onClose} title={t`How it works`} size="md">
      <Flex direction="column" gap="4">
        <Box bg="bg.muted" borderRadius="l3" overflow="hidden">
          <HowItWorksScene
            key={scene}
            scene={scene}
            hasPhone={settings.mobileAppEnabled}
            isPaused={!isPlaying && !isStill}
          />
        </Box>
        <Flex gap="1.5">
          {scenes.map(({ title }, at) => (
            <Chapter
              key={`${title}${at === scene ? hasEnded : ''}`}
              title={t`Scene ${at + 1}: ${title}`}
              isPast={at < scene || hasEnded || (isStill && at === scene)}
              isPresent={at === scene && !hasEnded && !isStill}
              isRunning={isPlaying}
              onChoose={() => choose(at)}
              onEnd={end}
            />
          ))}
        </Flex>
        <Flex align="flex-start" gap="4" minH={{ base: '28', xs: '16' }}>
          <Box flex="1" aria-live="polite">
            <Text fontWeight="semibold">
              {scene + 1}. {shown?.title}
            </Text>
            <Text color="fg.muted">{shown?.text}</Text>
          </Box>
          {again ? (
            <Button variant="outline" onClick={() => choose(0)}>
              <RotateCcw aria-hidden />
              {isStill ? t`Play from the start` : t`Play again`}
            </Button>
          ) : isStill ? (
            <Button variant="outline" onClick={() => choose(scene + 1)}>
              {t`Next`}
            </Button>
          ) : (
            <Button variant="outline" onClick={() => setIsPlaying(!isPlaying)}>
              {isPlaying ? <Pause aria-hidden /> : <Play aria-hidden />}
              {isPlaying ? t`Pause` : t`Play`}
            </Button>
          )}
        </Flex>
      </Flex>
    </Modal>
  );
}
