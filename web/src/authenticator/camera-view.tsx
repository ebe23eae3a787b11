import { Box, Button, Center, chakra, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Camera, CameraOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { readQrSource } from './read-qr-image.ts';

interface CameraViewProps {
  /** Called with the text of every code in front of the camera; true stops the camera. */
  onText: (text: string) => boolean;
}

const LOOK_EVERY_MS = 150;
/** Frames are scaled to this height: a code held up to the camera is large in them. */
const READ_HEIGHT = 480;

const hasCamera = () => window.isSecureContext && navigator.mediaDevices !== undefined;
const isHandheld = () => window.matchMedia('(pointer: coarse)').matches;

/** Why there is no picture, in words for people. */
function reasonOf(failure: unknown): string {
  const name = failure instanceof DOMException ? failure.name : '';
  if (name === 'NotAllowedError') return t`The camera is not allowed on this page. Allow it in the address bar.`;
  if (name === 'NotFoundError') return t`No camera was found.`;
  return t`The camera could not be started.`;
}

/** The picture of the rear camera, searched for a QR code. On a phone it starts by itself, on a desktop on demand. */
export function CameraView({ onText }: CameraViewProps) {
  const [isOn, setIsOn] = useState(() => hasCamera() && isHandheld());
  const [problem, setProblem] = useState<string | null>(
    hasCamera()
      ? null
      : t`Browsers give the camera to secure pages only, and this one came over plain HTTP. Open the code with your phone’s own camera, or use a picture of it.`,
  );
  const video = useRef<HTMLVideoElement>(null);
  const told = useRef(onText);
  useEffect(() => {
    told.current = onText;
  });

  useEffect(() => {
    const player = video.current;
    if (!isOn || !player) return;
    let stream: MediaStream | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isStopped = false;
    const stop = () => {
      isStopped = true;
      clearTimeout(timer);
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
    const look = async () => {
      const { videoWidth, videoHeight } = player;
      const width = Math.round((videoWidth * READ_HEIGHT) / Math.max(1, videoHeight));
      const text = await readQrSource(player, width, READ_HEIGHT);
      if (isStopped) return;
      if (text !== null && told.current(text)) return stop();
      timer = setTimeout(() => void look(), LOOK_EVERY_MS);
    };
    const start = async () => {
      try {
        stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
        if (isStopped) return stop();
        player.srcObject = stream;
        await player.play();
        await look();
      } catch (failure) {
        if (isStopped) return;
        stop();
        setProblem(reasonOf(failure));
        setIsOn(false);
      }
    };
    void start();
    return stop;
  }, [isOn]);

  return (
    <Center position="relative" h="52" borderRadius="xl" overflow="hidden" bg={isOn ? '#0C0B0A' : 'bg.muted'}>
      {isOn ? (
        <>
          <chakra.video
            ref={video}
            muted
            playsInline
            aria-label={t`Camera picture`}
            w="full"
            h="full"
            objectFit="cover"
          />
          <Box
            aria-hidden
            position="absolute"
            boxSize="36"
            borderRadius="xl"
            borderWidth="3px"
            borderColor="brand.solid"
            boxShadow="0 0 0 999px rgb(0 0 0 / 0.35)"
          />
        </>
      ) : problem ? (
        <Center flexDirection="column" gap="3" px="6" textAlign="center" color="fg.muted">
          <CameraOff size={22} strokeWidth={1.5} aria-hidden />
          <Text textStyle="sm" textWrap="pretty">
            {problem}
          </Text>
        </Center>
      ) : (
        <Button size="lg" variant="outline" onClick={() => setIsOn(true)}>
          <Camera aria-hidden />
          {t`Use the camera`}
        </Button>
      )}
    </Center>
  );
}
