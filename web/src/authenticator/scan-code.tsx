import { Button, Flex, Input } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { readScanned, type Scanned } from '@orchestrate/shared/authenticator';
import { ClipboardPaste, ImageUp } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { FormField } from '../ui/form-field.tsx';
import { CameraView } from './camera-view.tsx';
import { readQrImage } from './read-qr-image.ts';

const NO_CODE = t`No QR code was found in this picture.`;
const NOT_OURS = t`This is not a code from the portal.`;

const canPaste = () => typeof navigator.clipboard?.read === 'function';

/** Reads a QR code from the camera, from a picture that is uploaded or pasted, or from its address as text. */
export function ScanCode({ onScanned }: { onScanned: (scanned: Scanned) => void }) {
  const [address, setAddress] = useState('');
  const [problem, setProblem] = useState<string>();
  const file = useRef<HTMLInputElement>(null);

  /** Whether the text was one of ours. */
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
      setProblem(t`The clipboard cannot be read. Paste into the field below.`);
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
          {t`Upload a picture`}
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
          aria-label={t`Picture of a QR code`}
          onChange={(event) => {
            const picture = event.target.files?.[0];
            event.target.value = '';
            if (picture) void takePicture(picture);
          }}
        />
      </Flex>
      <Flex as="form" gap="3" align="flex-end" onSubmit={submit}>
        <FormField label={t`Address of the code`} error={problem}>
          <Input
            size="lg"
            inputMode="url"
            autoComplete="off"
            placeholder={t`Paste a picture or the address`}
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
