import { t } from '@lingui/core/macro';
import { getOrgSettings, saveBranding } from '@orchestrate/shared';
import { useEffect, useState } from 'react';
import type { Versioned } from '../../editing/drafts.ts';
import { useRead } from '../../lib/api/use-read.ts';
import { useWrite } from '../../lib/api/use-write.ts';
import { toast } from '../../lib/notices/toaster.ts';
import { useSession } from '../../lib/session/session.ts';
import { type BrandingForm, brandingOf, brandingUpload } from './branding-fields.ts';

/** The branding of the own organisation. After a save, everything that shows it reads it again. */
export function useBranding() {
  const code = useSession()?.orgId ?? '';
  const read = useRead(getOrgSettings, code ? { query: { code } } : null);
  const { run } = useWrite(saveBranding, { invalidates: ['Org Settings'] });
  const [imageProblem, setImageProblem] = useState<string>();

  const save = async (values: BrandingForm, { version: ifMatch }: Versioned<BrandingForm>) => {
    const saved = await run({ body: brandingUpload(values) }, { ifMatch });
    const isRefused = saved.image === 'refused';
    setImageProblem(isRefused ? saved.imageMessage : undefined);
    if (isRefused) toast.error(t`Image upload failed. Other details have been saved`);
    else toast.success(t`Branding saved`);
    return { values: brandingOf(saved), version: saved.etag };
  };
  return { read, save, imageProblem, forgetProblem: () => setImageProblem(undefined) };
}

/** An address under which the page can show a chosen picture as it will be kept; null while there is none. */
export function useFileAddress(file: File | null): string | null {
  const [shown, setShown] = useState<{ file: File; address: string }>();
  useEffect(() => {
    if (!file) return;
    let address: string | undefined;
    let isWanted = true;
    void stillOf(file).then((picture) => {
      if (!isWanted) return;
      address = URL.createObjectURL(picture);
      setShown({ file, address });
    });
    return () => {
      isWanted = false;
      if (address) URL.revokeObjectURL(address);
    };
  }, [file]);
  return file && shown?.file === file ? shown.address : null;
}

/** What the portal keeps of a picture that may move: its first frame. Any other file is as it is. */
async function stillOf(file: File): Promise<Blob> {
  if (!['image/gif', 'image/webp'].includes(file.type)) return file;
  try {
    const frame = await createImageBitmap(file);
    const canvas = new OffscreenCanvas(frame.width, frame.height);
    canvas.getContext('2d')?.drawImage(frame, 0, 0);
    return await canvas.convertToBlob();
  } catch {
    // The portal says what is wrong with it.
    return file;
  }
}
