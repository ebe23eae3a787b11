import { Box, Button, chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { LIMITS } from '@orchestrate/shared';
import { Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { formatFileSize } from '#lib/format/numbers.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { RemovedFromLogo } from '#ui/feedback/removed-from-logo.tsx';
import { FileDrop } from '#ui/form/file-drop.tsx';

/** Size in pixels, or 'damaged' if the browser can't decode the image. Undefined until the size is known. */
type PictureSize = { width: number; height: number } | 'damaged' | undefined;

/**
 * Returns an image's size as determined by the browser.
 * @param address URL of the image, or null if there is none
 */
function usePictureSize(address: string | null): PictureSize {
  const [read, setRead] = useState<{ address: string; size: PictureSize }>();
  useEffect(() => {
    if (!address) return;
    let isWanted = true;
    const reportSize = (size: PictureSize) => isWanted && setRead({ address, size });
    const picture = new Image();
    picture.onload = () => reportSize({ width: picture.naturalWidth, height: picture.naturalHeight });
    picture.onerror = () => reportSize('damaged');
    picture.src = address;
    return () => {
      isWanted = false;
    };
  }, [address]);
  return read?.address === address ? read?.size : undefined;
}

const STEP = 10;
const STEP_MS = 100;

/**
 * Simulates progress after a file was selected, to confirm that the file was accepted (spec 2 §4). Advances by 10 %
 * every 100 ms up to 100 %, and is 0 without a file.
 */
function useSimulatedProgress(file: File | null): number {
  const [progress, setProgress] = useState<{ file: File | null; percent: number }>({ file: null, percent: 0 });
  const percent = progress.file === file ? progress.percent : 0;

  useEffect(() => {
    if (!file || percent >= 100) return;
    const timer = setTimeout(() => setProgress({ file, percent: percent + STEP }), STEP_MS);
    return () => clearTimeout(timer);
  }, [file, percent]);

  return percent;
}

const FORMATS = ['SVG', 'PNG', 'JPG', 'JPEG', 'GIF', 'WEBP'];
const MEGAPIXELS = LIMITS.logoPixels / 1_000_000;
const HELP = t`SVG works best. Recommended: under ${formatFileSize(LIMITS.logoRecommendedBytes)} and 200x100 px. Limit: ${formatFileSize(LIMITS.logoBytes)} and ${MEGAPIXELS} million pixels.`;

/**
 * Returns a warning if a logo is large or damaged. The user can still select the file, and the portal decides on
 * save.
 */
function noteOn(bytes: number, size: PictureSize): string | undefined {
  if (size === 'damaged') return t`This file can't be displayed as an image. Choose another file.`;
  if (bytes > LIMITS.logoWarningBytes)
    return t`File is larger than ${formatFileSize(LIMITS.logoWarningBytes)}. Choose a file up to ${formatFileSize(LIMITS.logoBytes)}.`;
  if (bytes > LIMITS.logoBytes) return t`File is larger than ${formatFileSize(LIMITS.logoBytes)}.`;
  if (bytes > LIMITS.logoRecommendedBytes)
    return t`Larger than ${formatFileSize(LIMITS.logoRecommendedBytes)}. The sign-in page will load more slowly.`;
  return undefined;
}

interface LogoFieldProps {
  /** URL of the current logo. Null if there is no logo or it will be removed. */
  logo: string | null;
  file: File | null;
  /** Data URI of the selected file as converted by the portal. */
  fileAddress: string | null;
  /** Content that the portal would remove from the file. */
  removed: readonly string[];
  onFile: (file: File | null) => void;
  onRemove: () => void;
  /** Reason why the last file was rejected. */
  error: string | undefined;
}

/** Shows the organisation's logo and accepts a new one. */
export function LogoField({ logo, file, fileAddress, removed, onFile, onRemove, error }: LogoFieldProps) {
  const percent = useSimulatedProgress(file);
  const size = usePictureSize(fileAddress);
  const note = file ? noteOn(file.size, size) : undefined;
  return (
    <Flex direction="column" gap="3">
      {logo && !file && (
        <Flex align="center" justify="space-between" gap="4" px="4" minH="16" borderWidth="1px" borderRadius="l3">
          <chakra.img
            src={logo}
            alt={t`Current logo`}
            h="10"
            maxW="52"
            objectFit="contain"
            bg={{ _dark: 'white' }}
            p={{ _dark: '1' }}
            borderRadius={{ _dark: 'l1' }}
          />
          <Button type="button" variant="outline" size="sm" onClick={onRemove}>
            <Trash2 aria-hidden />
            {t`Remove logo`}
          </Button>
        </Flex>
      )}
      <FileDrop
        label={t`Logo`}
        formats={FORMATS}
        note={HELP}
        file={file ?? undefined}
        about={size && size !== 'damaged' ? t`${size.width} × ${size.height} pixels` : undefined}
        onFile={(chosen) => onFile(chosen ?? null)}
        error={error}
      />
      {file && (
        <Flex align="center" gap="3">
          <Box
            role="progressbar"
            aria-label={t`Upload`}
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={percent}
            flex="1"
            h="1.5"
            borderRadius="full"
            bg="bg.emphasized"
            overflow="hidden"
          >
            <Box
              h="full"
              borderRadius="full"
              bg={percent === 100 ? 'success.emphasized' : 'brand.line'}
              transformOrigin="left"
              transition="transform 100ms linear"
              style={{ transform: `scaleX(${percent / 100})` }}
            />
          </Box>
          <Text textStyle="code" fontSize="xs" color="fg.muted" minW="10" textAlign="end">
            {percent} %
          </Text>
        </Flex>
      )}
      {note && <AlertLine tone="warning">{note}</AlertLine>}
      <RemovedFromLogo names={removed} />
    </Flex>
  );
}
