import { ownCommand } from '@orchestrate/server/own-command';

export const USAGE = `The simulated authenticator, on the command line.

Usage: ${ownCommand('authenticator')} <command> [options]

Commands
  setup --code CODE --org CODE --email ADDRESS --first NAME --last NAME [--called NAME] [--color '#RRGGBB']
                                                       the first administrator, by the code that the start printed
  activate --org CODE --email ADDRESS --code 000000    register this device with an activation code
  pair QR-ADDRESS | pair --org CODE --aid CODE         register it with an add-device code of the portal
  list                                                 the devices kept here, and what waits for each
  approve CODE|QR-ADDRESS|--pending                    approve a sign-in or complete a device test
  deny CODE|QR-ADDRESS|--pending                       deny it
  watch [--once]                                       follow requests as they arrive, and ask about each
  watch --auto approve|deny [--after 250ms] [--once]   answer them by itself, also codes given line by line

Options
  --as ADDRESS        act as a seeded demo person, with the keys that the lab gives out
  --org CODE          with --as or a device kept here: in which organisation, where there are several
  --account WHICH     email address or device id, where several devices are kept here
  --number NN         the number that the browser shows, where it shows one
  --called NAME       of setup: what the organisation is called (default: its code)
  --color '#RRGGBB'   of setup: the colour of the organisation's buttons and mails
  --reason WHY        of deny and --auto deny: not-me, or cancel (the default)
  --name NAME         of activate and pair: what the device is called (default: this machine's name)
  --after TIME        of --auto: how long it waits before each answer: 250ms, 2s, 1m
  --type TYPE         mobile (the default) or desktop; with --as, which device of the person
  --url ORIGIN        the portal (default: http://localhost:3000, or PUBLIC_URL)
  --file PATH         where devices and their keys are kept, readable by you alone
  --json              one JSON object per line, for programs
  --help              this page

A sign-in that shows a number in the browser is approved only with --number, or by choosing when asked in a terminal;
--auto approve asks the lab which one it shows. With --auto, what is typed or piped in is answered too: each line a code
or the address of a QR code, of a sign-in, an application, a caller's verification or a device test.

Exit codes: 0 done, 1 the portal refused, 2 wrong use, 3 the portal cannot be reached, 4 nothing waits.
LAB_TOKEN is sent to the lab where it is set.
`;

/** Of the one command that has a name of its own, `orchestrate setup`. */
export const SETUP_USAGE = `Makes the first administrator of a portal that has none, with this device as their phone.

Usage: ${ownCommand('setup')} --code CODE --org CODE --email ADDRESS --first NAME --last NAME [options]

  --code CODE         the setup code that the start printed
  --org CODE          the organisation: letters, digits and hyphens
  --email ADDRESS     of the administrator
  --first NAME        the administrator's first name
  --last NAME         the administrator's last name

Options
  --called NAME       what the organisation is called (default: its code)
  --color '#RRGGBB'   the colour of the organisation's buttons and mails
  --name NAME         what this device is called (default: this machine's name)
  --url ORIGIN        the portal (default: http://localhost:3000, or PUBLIC_URL)
  --file PATH         where the device and its key are kept, readable by you alone
  --json              one JSON object per line, for programs
  --help              this page

Exit codes: 0 done, 1 the portal refused, 2 wrong use, 3 the portal cannot be reached.

For a Super Admin who has lost every device: ${ownCommand('setup')} recover --help
`;
