import { ACME, GLOBEX } from './organisations.ts';
import { type Person, person, type SeedDevice } from './person.ts';

const SUPER_ADMIN = 'super.admin@acme.test';
const MANAGER = 'manager@acme.test';
const GLOBEX_ADMIN = 'admin@globex.test';

/** Email address of a consultant who belongs to both organisations. */
const IN_BOTH = 'noa.berg@consulting.test';

const pixel: SeedDevice = { name: 'Pixel 9 Pro', type: 'mobile', platform: 'Android 16', registeredDaysAgo: 253 };
const iphone: SeedDevice = { name: 'iPhone 16', type: 'mobile', platform: 'iOS 19', registeredDaysAgo: 198 };
const galaxy: SeedDevice = { name: 'Galaxy S25', type: 'mobile', platform: 'Android 16', registeredDaysAgo: 301 };
const thinkpad: SeedDevice = { name: 'ThinkPad X1', type: 'desktop', platform: 'Windows 11', registeredDaysAgo: 412 };
const macbook: SeedDevice = { name: 'MacBook Pro', type: 'desktop', platform: 'macOS 26', registeredDaysAgo: 365 };
const yubikey: SeedDevice = { name: 'YubiKey 5C', type: 'webauthn', platform: 'FIDO2', registeredDaysAgo: 583 };
const oldPhone: SeedDevice = { name: 'iPhone 14', type: 'mobile', platform: 'iOS 18', registeredDaysAgo: 540 };

/** Returns the demo's sign-in accounts, each with an active mobile device. */
const signInAccounts = (base: number): Person[] => [
  person(
    {
      orgCode: ACME,
      firstName: 'Avery',
      lastName: 'Lindqvist',
      primaryEmail: SUPER_ADMIN,
      primaryAttr: 'E-10001',
      roleCode: 'SUPER_ADMIN',
      isManager: true,
      devices: [
        { ...pixel, nickName: 'Pocket' },
        { ...thinkpad, nickName: 'Desk' },
        { ...oldPhone, status: 'paused' },
        { ...yubikey, nickName: 'Keyring' },
      ],
      diligence: 1,
    },
    base,
  ),
  person(
    {
      orgCode: ACME,
      firstName: 'Ruth',
      lastName: 'Adeyemi',
      primaryEmail: 'helpdesk.admin@acme.test',
      primaryAttr: 'E-10002',
      roleCode: 'HELPDESK_ADMIN',
      managerEmail: SUPER_ADMIN,
      devices: [
        { ...galaxy, nickName: 'Help desk phone' },
        { ...thinkpad, name: 'Latitude 7450' },
      ],
      diligence: 1,
    },
    base,
  ),
  person(
    {
      orgCode: ACME,
      firstName: 'Tomasz',
      lastName: 'Wójcik',
      primaryEmail: 'security.admin@acme.test',
      primaryAttr: 'E-10003',
      roleCode: 'SECURITY_ADMIN',
      managerEmail: SUPER_ADMIN,
      // As many devices as the organisation allows.
      devices: [
        pixel,
        { ...macbook, nickName: 'Work' },
        { ...yubikey, nickName: 'Safe' },
        { ...galaxy, nickName: 'Spare', status: 'paused' },
        { ...thinkpad, name: 'Framework 13', platform: 'Debian 13' },
      ],
      diligence: 0.9,
    },
    base,
  ),
  person(
    {
      orgCode: ACME,
      firstName: 'Noor',
      lastName: 'Haddad',
      primaryEmail: 'callcenter.admin@acme.test',
      primaryAttr: 'E-10004',
      roleCode: 'CALL_CENTER_ADMIN',
      managerEmail: SUPER_ADMIN,
      devices: [iphone],
      diligence: 1,
    },
    base,
  ),
  person(
    {
      orgCode: ACME,
      firstName: 'Grace',
      lastName: 'Okonkwo',
      primaryEmail: MANAGER,
      primaryAttr: 'E-10005',
      isManager: true,
      managerEmail: SUPER_ADMIN,
      devices: [{ ...iphone, nickName: 'Mine' }, { ...galaxy, nickName: 'On call' }, macbook],
      diligence: 0.9,
    },
    base,
  ),
  person(
    {
      orgCode: ACME,
      firstName: 'Daniel',
      lastName: 'Ortiz',
      primaryEmail: 'user@acme.test',
      primaryAttr: 'E-10006',
      managerEmail: MANAGER,
      devices: [{ ...galaxy, name: 'Pixel 9a', registeredDaysAgo: 121 }],
      diligence: 0.9,
    },
    base,
  ),
  person(
    {
      orgCode: GLOBEX,
      firstName: 'Ingrid',
      lastName: 'Solberg',
      primaryEmail: GLOBEX_ADMIN,
      primaryAttr: 'isolberg',
      roleCode: 'SUPER_ADMIN',
      isManager: true,
      devices: [pixel, macbook],
      diligence: 0.9,
    },
    base,
  ),
];

type Entry = readonly [
  orgCode: string,
  firstName: string,
  lastName: string,
  email: string,
  primaryAttr: string,
  more?: Parameters<typeof person>[0] extends infer Wish ? Partial<Wish> : never,
];

const unregistered = { accountStatus: 'unregistered' } as const;

/**
 * Other people that tests and screenshots rely on. Seven of them, plus Daniel Ortiz, are the manager's eight direct
 * reports.
 */
const others: readonly Entry[] = [
  [ACME, 'Marcus', 'Oyelaran', 'marcus.oyelaran@acme.test', 'E-10871', { managerEmail: MANAGER, devices: [iphone] }],
  [ACME, 'Mara', 'Lindholm', 'mara.lindholm@acme.test', 'E-11020', { managerEmail: MANAGER, ...unregistered }],
  [
    ACME,
    'Omar',
    'Hassan',
    'omar.hassan@acme.test',
    'E-11207',
    { managerEmail: MANAGER, accountStatus: 'inactive', devices: [pixel] },
  ],
  [ACME, 'Tamara', 'Quist', 'tamara.quist@acme.test', 'E-10990', { managerEmail: MANAGER, devices: [galaxy] }],
  [ACME, 'Amara', 'Okafor', 'amara.okafor@acme.test', 'E-11311', { managerEmail: MANAGER, ...unregistered }],
  [ACME, 'Zoë', 'Lefèvre', 'zoe.lefevre@acme.test', 'E-10518', { managerEmail: MANAGER }],
  [ACME, 'Łukasz', 'Kamiński', 'lukasz.kaminski@acme.test', 'E-10623', { managerEmail: MANAGER }],
  [
    ACME,
    'Maya',
    'Fernandes',
    'maya.fernandes@acme.test',
    'E-10442',
    { managerEmail: SUPER_ADMIN, roleCode: 'HELPDESK_ADMIN', devices: [pixel, macbook] },
  ],
  [
    ACME,
    'Marek',
    'Dvorak',
    'marek.dvorak@acme.test',
    'E-10113',
    { managerEmail: SUPER_ADMIN, roleCode: 'SECURITY_ADMIN', devices: [galaxy, thinkpad, yubikey] },
  ],
  [
    ACME,
    'Marie',
    'Delacroix',
    'marie.delacroix@acme.test',
    'E-10355',
    { managerEmail: SUPER_ADMIN, roleCode: 'CALL_CENTER_ADMIN', devices: [iphone, oldPhone] },
  ],
  [ACME, 'Margot', 'Ito', 'margot.ito@acme.test', 'E-10772', { accountStatus: 'deleted' }],
  [ACME, '太郎', '田中', 'taro.tanaka@acme.test', 'E-11098', { managerEmail: SUPER_ADMIN }],
  [ACME, 'Noa', 'Berg', IN_BOTH, 'E-11502', { managerEmail: SUPER_ADMIN, devices: [iphone] }],
  [GLOBEX, 'Noa', 'Berg', IN_BOTH, 'nberg', { managerEmail: GLOBEX_ADMIN, devices: [iphone] }],
  [GLOBEX, 'Jonas', 'Weiß', 'jonas.weiss@globex.test', 'jweiss', { managerEmail: GLOBEX_ADMIN }],
  [GLOBEX, 'Elif', 'Şahin', 'elif.sahin@globex.test', 'esahin', { roleCode: 'HELPDESK_ADMIN' }],
  [GLOBEX, 'Kwame', 'Mensah', 'kwame.mensah@globex.test', 'kmensah', { managerEmail: GLOBEX_ADMIN }],
  [GLOBEX, '葵', '鈴木', 'aoi.suzuki@globex.test', 'asuzuki', { managerEmail: GLOBEX_ADMIN }],
  [GLOBEX, 'Petra', 'Nováková', 'petra.novakova@globex.test', 'pnovakova', { accountStatus: 'inactive' }],
  [
    GLOBEX,
    'Hugo',
    'Lemaître',
    'hugo.lemaitre@globex.test',
    'hlemaitre',
    { managerEmail: GLOBEX_ADMIN, ...unregistered },
  ],
];

/** Returns all named people of the demo. */
export function namedPeople(base: number): Person[] {
  return [
    ...signInAccounts(base),
    ...others.map(([orgCode, firstName, lastName, primaryEmail, primaryAttr, more]) =>
      person({ orgCode, firstName, lastName, primaryEmail, primaryAttr, ...more }, base),
    ),
  ];
}
