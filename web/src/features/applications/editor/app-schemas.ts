import { appDescription, appName, callbackUrl } from '@orchestrate/shared';
import { z } from 'zod';

/** A list of addresses as a form holds it: react-hook-form wants objects. */
export const urlRows = z.array(z.object({ value: callbackUrl })).min(1, 'At least one address');
export type UrlRows = { value: string }[];

export const generalInfo = z.object({ name: appName, description: appDescription });
export type GeneralInfo = z.output<typeof generalInfo>;

export const createOidcForm = generalInfo.extend({ callbackUrls: urlRows, logoutUrls: urlRows });
export type CreateOidcForm = z.output<typeof createOidcForm>;

export const NAME_TAKEN = 'App name already exists';
