import { Box, chakra, Flex, Menu, Portal, Text, VisuallyHidden } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { fullNameOf, type Language, type Profile, setLanguage } from '@orchestrate/shared';
import { ChevronDown, Languages, LogOut, UserRoundPen } from 'lucide-react';
import { useModal } from '#lib/address/use-modal.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { reasonOf } from '#lib/notices/result-text.ts';
import { toast } from '#lib/notices/toaster.ts';
import { InitialsAvatar } from '#ui/text/initials-avatar.tsx';
import { changeLanguage, isLanguage, otherLanguages } from '#words/language.ts';

const Trigger = chakra('button', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '2.5',
    p: '1',
    pe: { base: '1', sm: '2' },
    borderRadius: 'l2',
    textAlign: 'start',
    cursor: 'pointer',
    outline: '0',
    transition: 'background-color 120ms',
    focusVisibleRing: 'outside',
    _hover: { bg: 'bg.muted' },
    _open: { bg: 'bg.muted' },
  },
});

function NameAndRole({ profile }: { profile: Profile }) {
  return (
    <Box minW="0" lineHeight="short">
      <Text fontWeight="semibold" truncate>
        {fullNameOf(profile)}
      </Text>
      <Text textStyle="xs" color="fg.muted" truncate>
        {profile.roleName}
      </Text>
    </Box>
  );
}

/** Returns a function that changes the user's language. Shows an error if the portal can't store it. */
export function useChangeLanguage(): (language: Language) => Promise<void> {
  const { run } = useWrite(setLanguage);
  return async (language) => {
    try {
      await run({ body: { language } });
    } catch (failure) {
      toast.error(t`Couldn't change the language`, reasonOf(failure));
      return;
    }
    changeLanguage(language);
  };
}

/** Menu with the signed-in user, profile, languages and logout. */
export function ProfileMenu({ profile }: { profile: Profile }) {
  const { open } = useModal();
  const choose = useChangeLanguage();
  const fullName = fullNameOf(profile);
  return (
    <Menu.Root
      positioning={{ placement: 'bottom-end' }}
      onSelect={({ value }) => {
        if (isLanguage(value)) void choose(value);
        else open(value === 'edit-profile' ? 'edit-profile' : 'logout');
      }}
    >
      <Menu.Trigger asChild>
        <Trigger type="button">
          <VisuallyHidden>{t`Profile menu`}</VisuallyHidden>
          <InitialsAvatar name={fullName} />
          <Box hideBelow="sm" maxW="48">
            <NameAndRole profile={profile} />
          </Box>
          <Box hideBelow="sm" color="fg.subtle">
            <ChevronDown size={16} aria-hidden />
          </Box>
        </Trigger>
      </Menu.Trigger>
      <Portal>
        <Menu.Positioner>
          <Menu.Content minW="60">
            <Flex align="center" gap="3" px="2.5" py="2" mb="1.5" borderBottomWidth="1px" mx="-1.5">
              <InitialsAvatar name={fullName} size="md" />
              <Box minW="0">
                <NameAndRole profile={profile} />
                <Text textStyle="xs" color="fg.muted" truncate maxW="56">
                  {profile.email}
                </Text>
              </Box>
            </Flex>
            <Menu.Item value="edit-profile">
              <UserRoundPen />
              {t`Edit profile`}
            </Menu.Item>
            {otherLanguages().map(([tag, name]) => (
              <Menu.Item key={tag} value={tag} lang={tag}>
                <Languages />
                {name}
              </Menu.Item>
            ))}
            <Menu.Item value="logout">
              <LogOut />
              {t`Logout`}
            </Menu.Item>
          </Menu.Content>
        </Menu.Positioner>
      </Portal>
    </Menu.Root>
  );
}
