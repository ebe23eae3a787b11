import { Flex, SimpleGrid } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { ACCESS_TOKEN_FORMATS, type ClientKind, hasSignIn, isPublicKind } from '@orchestrate/shared';
import { useFormContext, useWatch } from 'react-hook-form';
import { FormField } from '#ui/form/form-field.tsx';
import { NumberField } from '#ui/form/number-field.tsx';
import { Select } from '#ui/form/select.tsx';
import { SwitchField } from '#ui/form/switch-field.tsx';
import type { AppForm } from '../editor/app-form.ts';

const LIFETIMES = [
  {
    name: 'ttl_IdToken',
    label: t`ID token`,
    atZero: t`If you enter 0, ID tokens expire immediately, and most clients reject them.`,
  },
  {
    name: 'ttl_AccessToken',
    label: t`Access token`,
    atZero: t`If you enter 0, access tokens expire immediately and can't be used.`,
  },
  {
    name: 'ttl_AuthorizationCode',
    label: t`Authorization code`,
    atZero: t`If you enter 0, codes expire immediately, and no one can finish signing in.`,
  },
  { name: 'ttl_RefreshToken', label: t`Refresh token`, atZero: t`If you enter 0, no refresh tokens are issued.` },
] as const;

/** Returns the lifetimes that apply to an application. @param signsIn false for a service client */
export const lifetimesOf = (signsIn: boolean): readonly (typeof LIFETIMES)[number][] =>
  signsIn ? LIFETIMES : LIFETIMES.filter(({ name }) => name === 'ttl_AccessToken');

interface TokenSettingsProps {
  appId: string;
  kind: ClientKind;
}

/** Edits the lifetimes of codes and tokens, the format of access tokens, and what clients with credentials can do. */
export function TokenSettings({ appId, kind }: TokenSettingsProps) {
  const { control } = useFormContext<AppForm>();
  return (
    <Flex direction="column" gap="5" maxW="fields">
      <Lifetimes signsIn={hasSignIn(kind)} />
      <AccessTokenFormat appId={appId} />
      {hasSignIn(kind) && !isPublicKind(kind) && (
        <SwitchField
          control={control}
          name="oidc.rotateRefreshTokens"
          label={t`Rotate refresh tokens`}
          help={t`Each refresh replaces the refresh token. If an old token is used again, the sign-in ends.`}
        />
      )}
      {!isPublicKind(kind) && (
        <SwitchField
          control={control}
          name="oidc.tokenExchange"
          label={t`Token exchange`}
          help={t`The application can exchange users’ access tokens that it receives for tokens for other services (RFC 8693).`}
        />
      )}
    </Flex>
  );
}

/** Edits the lifetimes of an application's codes and tokens. */
function Lifetimes({ signsIn }: { signsIn: boolean }) {
  const lifetimes = lifetimesOf(signsIn);
  const { register, formState, control } = useFormContext<AppForm>();
  const values = useWatch({ control, name: lifetimes.map(({ name }) => `oidc.${name}` as const) });
  return (
    <SimpleGrid columns={{ sm: 2 }} gap="5">
      {lifetimes.map(({ name, label, atZero }, index) => (
        <NumberField
          key={name}
          label={label}
          isRequired
          unit={t`seconds`}
          {...((name === 'ttl_RefreshToken' || values[index] === 0) && { help: atZero })}
          error={formState.errors.oidc?.[name]?.message}
          {...register(`oidc.${name}`, { valueAsNumber: true })}
        />
      ))}
    </SimpleGrid>
  );
}

const FORMAT_LABELS: Record<(typeof ACCESS_TOKEN_FORMATS)[number], string> = { opaque: t`Opaque`, jwt: t`JWT` };

/** Edits the format of access tokens that don't name an API. */
function AccessTokenFormat({ appId }: { appId: string }) {
  const { register } = useFormContext<AppForm>();
  return (
    <FormField
      label={t`Access token format`}
      help={t`Services can verify JWTs without calling the portal. The audience of a JWT is the client ID ${appId}, unless the application requests an API with the resource parameter. For opaque tokens, services have to call the portal.`}
    >
      <Select {...register('oidc.accessTokenFormat')} width="40">
        {ACCESS_TOKEN_FORMATS.map((format) => (
          <option key={format} value={format}>
            {FORMAT_LABELS[format]}
          </option>
        ))}
      </Select>
    </FormField>
  );
}
