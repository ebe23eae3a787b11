import { Box, Button, Center, chakra, Flex, Input, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { readScanned, type Scanned } from '@orchestrate/shared/authenticator';
import { Camera, CameraOff, ClipboardPaste, ImageUp } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { loadPart } from '#lib/browser/lazy-part.ts';
import { FormField } from '#ui/form/form-field.tsx';

/** Maximum side length of a scaled image, in px. Large enough to read a code that fills a tenth of a photo. */
const MAX_SIDE = 1_600;

/** Reads the QR code in an image. Resolves to null if the image is corrupt or has no readable code. */
async function readQrImage(picture: Blob): Promise<string | null> {
  const bitmap = await createImageBitmap(picture).catch(() => null);
  if (!bitmap) return null;
  const scale = Math.min(1, MAX_SIDE / Math.max(bitmap.width, bitmap.height));
  try {
    return await readQrSource(bitmap, Math.round(bitmap.width * scale), Math.round(bitmap.height * scale));
  } finally {
    bitmap.close();
  }
}

/** Reads the QR code in any drawable source, scaled to the given size in px. Loads the decoder on first use. */
async function readQrSource(source: CanvasImageSource, width: number, height: number): Promise<string | null> {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context || width === 0 || height === 0) return null;
  // Fill the background first, because a transparent image would be black on black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  context.drawImage(source, 0, 0, width, height);
  const { decodeQR } = await loadPart(() => import('qr/decode.js'));
  try {
    return decodeQR(context.getImageData(0, 0, width, height), { timeLimit: 500 });
  } catch {
    return null;
  }
}

interface CameraViewProps {
  /** Called with each detected code's text. Return true to stop the camera. */
  onText: (text: string) => boolean;
}

const SCAN_INTERVAL_MS = 150;
/** Frames are scaled to this height, in px. A code held up to the camera is large enough at this size. */
const READ_HEIGHT = 480;

const hasCamera = () => window.isSecureContext && navigator.mediaDevices !== undefined;
const isHandheld = () => window.matchMedia('(pointer: coarse)').matches;

/** Returns a message explaining why the camera isn't available. */
function reasonOf(failure: unknown): string {
  const name = failure instanceof DOMException ? failure.name : '';
  if (name === 'NotAllowedError') return t`Camera access is blocked. Allow it in the address bar.`;
  if (name === 'NotFoundError') return t`No camera found. Upload an image of the code instead.`;
  return t`Couldn't start the camera. Upload an image of the code instead.`;
}

/**
 * Scans for a QR code with the rear camera. The camera starts automatically on a phone, and on request on a desktop.
 */
function CameraView({ onText }: CameraViewProps) {
  const [isOn, setIsOn] = useState(() => hasCamera() && isHandheld());
  const [problem, setProblem] = useState<string | null>(
    hasCamera()
      ? null
      : t`The camera only works over HTTPS. Scan the code with your phone’s camera app, or use an image of it.`,
  );
  const video = useRef<HTMLVideoElement>(null);
  const callback = useRef(onText);
  useEffect(() => {
    callback.current = onText;
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
      if (text !== null && callback.current(text)) return stop();
      timer = setTimeout(() => void look(), SCAN_INTERVAL_MS);
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
          <chakra.video ref={video} muted playsInline aria-label={t`Camera view`} w="full" h="full" objectFit="cover" />
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

const NO_CODE = t`No QR code found in this image. Try a sharper one.`;
const NOT_OURS = t`This code isn't from the portal.`;

const canPaste = () => typeof navigator.clipboard?.read === 'function';

/** Reads a QR code from the camera, an uploaded or pasted image, or its link. */
export function ScanCode({ onScanned }: { onScanned: (scanned: Scanned) => void }) {
  const [address, setAddress] = useState('');
  const [problem, setProblem] = useState<string>();
  const file = useRef<HTMLInputElement>(null);

  /** Handles scanned text. Returns true if it is a code from the portal. */
  const take = (text: string): boolean => {
    const scanned = readScanned(text);
    setProblem(scanned ? undefined : NOT_OURS);
    if (scanned) onScanned(scanned);
    return scanned !== null;
  };
  const takePicture = async (picture: Blob) => {
    const text = await readQrImage(picture);
    if (text === null) setProblem(NO_CODE);
    else take(text);
  };
  const paste = async () => {
    try {
      const [item] = await navigator.clipboard.read();
      const image = item?.types.find((type) => type.startsWith('image/'));
      if (item && image) await takePicture(await item.getType(image));
      else take(await navigator.clipboard.readText());
    } catch {
      setProblem(t`Couldn't read the clipboard. Paste into the field below.`);
    }
  };

  const taking = useRef({ take, takePicture });
  useEffect(() => {
    taking.current = { take, takePicture };
  });
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const picture = [...(event.clipboardData?.files ?? [])].find(({ type }) => type.startsWith('image/'));
      if (picture) return void taking.current.takePicture(picture);
      const text = event.clipboardData?.getData('text') ?? '';
      if (readScanned(text)) taking.current.take(text);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    take(address);
  };

  return (
    <Flex direction="column" gap="4">
      <CameraView onText={take} />
      <Flex gap="3">
        <Button size="lg" flex="1" variant="outline" onClick={() => file.current?.click()}>
          <ImageUp aria-hidden />
          {t`Upload an image`}
        </Button>
        {canPaste() && (
          <Button size="lg" flex="1" variant="outline" onClick={() => void paste()}>
            <ClipboardPaste aria-hidden />
            {t`Paste`}
          </Button>
        )}
        <input
          ref={file}
          type="file"
          accept="image/*"
          hidden
          aria-label={t`Image of a QR code`}
          onChange={(event) => {
            const picture = event.target.files?.[0];
            event.target.value = '';
            if (picture) void takePicture(picture);
          }}
        />
      </Flex>
      <Flex as="form" gap="3" align="flex-end" onSubmit={submit}>
        <FormField label={t`Link in the code`} error={problem}>
          <Input
            size="lg"
            inputMode="url"
            autoComplete="off"
            placeholder={t`Paste an image or link`}
            value={address}
            onChange={(event) => {
              setAddress(event.target.value);
              setProblem(undefined);
            }}
          />
        </FormField>
        {address && (
          <Button type="submit" size="lg" mb={problem ? '6' : '0'}>
            {t`Open`}
          </Button>
        )}
      </Flex>
    </Flex>
  );
}
