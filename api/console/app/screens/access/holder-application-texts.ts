import { texts } from '../../kit/language.ts'

export const holderApplicationTexts = texts({
  title: { en: 'Apps of holders', de: 'Apps der Inhaber' },
  about: {
    en: 'Your own wallet apps. Each installed app registers its key here as an instance.',
    de: 'Ihre eigenen Wallet-Apps. Jede installierte App registriert hier ihren Schlüssel als Instanz.',
  },
  create: { en: 'New app', de: 'Neue App' },
  empty: { en: 'No app yet.', de: 'Noch keine App.' },
  deleteTitle: { en: 'Delete this app?', de: 'Diese App löschen?' },
  deleteText: { en: 'Its instances are deleted too.', de: 'Ihre Instanzen werden mitgelöscht.' },
})

export const instanceTexts = texts({
  platform: { en: 'Platform', de: 'Plattform' },
  identifier: { en: 'Identifier', de: 'Kennung' },
  package: { en: 'Package name', de: 'Paketname' },
  thumbprints: { en: 'Signing certificates', de: 'Signaturzertifikate' },
  thumbprintsHint: {
    en: 'SHA-256 hashes in lower-case hex, one per line',
    de: 'SHA-256-Hashes in kleingeschriebenem Hex, einer pro Zeile',
  },
  attested: { en: 'The device must protect the key', de: 'Das Gerät muss den Schlüssel schützen' },
  attestedHint: {
    en: 'Only keys in a trusted environment or a StrongBox of the device are accepted.',
    de: 'Nur Schlüssel in einer vertrauenswürdigen Umgebung oder StrongBox des Geräts werden angenommen.',
  },
  roots: { en: 'Root certificates of key attestations', de: 'Wurzelzertifikate der Schlüsselattestierung' },
  rootsHint: { en: 'Empty: those of Google', de: 'Leer: die von Google' },
  bundle: { en: 'Bundle identifier', de: 'Bundle-ID' },
  team: { en: 'Apple team identifier', de: 'Apple-Team-ID' },
  instances: { en: 'Instances', de: 'Instanzen' },
  instance: { en: 'Instance', de: 'Instanz' },
  none: { en: 'No instance is registered yet.', de: 'Noch ist keine Instanz registriert.' },
  registered: { en: 'Registered', de: 'Registriert' },
  lastAttested: { en: 'Last attested', de: 'Zuletzt attestiert' },
  deleteTitle: { en: 'Delete this instance?', de: 'Diese Instanz löschen?' },
  deleteText: { en: 'The app must register again.', de: 'Die App muss sich neu registrieren.' },
})
