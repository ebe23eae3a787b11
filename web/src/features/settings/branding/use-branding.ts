import { t } from '@lingui/core/macro';
import { checkLogo, getOrgSettings, LIMITS, type ReplyOf, saveBranding } from '@orchestrate/shared';
import { useState } from 'react';
import useSWR from 'swr';
import type { ApiRefusal } from '#lib/api/api-refusal.ts';
import { call } from '#lib/api/call.ts';
import { useRead } from '#lib/api/use-read.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { toast } from '#lib/notices/toaster.ts';
import { useSession } from '#lib/session/session.ts';
import type { Versioned } from '#ui/editing/drafts.ts';
import { type BrandingForm, brandingFormData, brandingOf } from './branding-fields.ts';

/** Loads and saves the organisation's branding. Saving also refetches the organisation's other settings. */
export function useBranding() {
  const code = useSession()?.orgId ?? '';
  const read = useRead(getOrgSettings, code ? { query: { code } } : null);
  const { run } = useWrite(saveBranding, { invalidates: ['Org Settings'] });
  const [image, setImage] = useState(NOTHING_SAVED);

  const save = async (values: BrandingForm, { version: ifMatch }: Versioned<BrandingForm>) => {
    const saved = await run({ body: brandingFormData(values) }, { ifMatch });
    const isRefused = saved.image === 'refused';
    setImage({ problem: isRefused ? saved.imageMessage : undefined, removed: saved.imageRemoved });
    if (isRefused) toast.error(t`Image upload failed. Other details have been saved`);
    else toast.success(t`Branding saved`);
    return { values: brandingOf(saved), version: saved.etag };
  };
  return { read, save, image, forgetImage: () => setImage(NOTHING_SAVED) };
}

/** Outcome of the last save for the logo. */
export interface SavedImage {
  /** Reason why the logo was rejected. */
  problem: string | undefined;
  /**
   * Content removed from the logo file. Reported on save, because the file can be saved before its check has
   * finished.
   */
  removed: readonly string[];
}

const NOTHING_SAVED: SavedImage = { problem: undefined, removed: [] };

interface LogoCheck {
  /** Data URI of the logo as it will be served. Null until it is known. */
  address: string | null;
  /** Content that will be removed from the file. */
  removed: readonly string[];
  /** Reason why the file can't be used as a logo. */
  problem: string | undefined;
}

/** Asks the portal how it would convert a selected file. */
export function useLogoCheck(file: File | null): LogoCheck {
  const isCheckable = file !== null && file.size > 0 && file.size <= LIMITS.logoBytes;
  const key = isCheckable ? ['logo file', file.name, file.size, file.lastModified] : null;
  const { data, error } = useSWR<ReplyOf<typeof checkLogo>, ApiRefusal>(key, () => checkFile(file), {
    dedupingInterval: 0,
    revalidateOnFocus: false,
    shouldRetryOnError: false,
  });
  const problem = error && (error.issues.find(({ path }) => path === 'file')?.message ?? resultText(error));
  return { address: (!error && data?.logo) || null, removed: data?.removed ?? [], problem };
}

function checkFile(file: File | null) {
  const body = new FormData();
  if (file) body.set('file', file);
  return call(checkLogo, { body });
}
