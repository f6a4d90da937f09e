import { texts } from './language.ts'

export const managedTexts = texts({
  byFiles: { en: 'Managed by files', de: 'Von Dateien verwaltet' },
  managed: {
    en: 'Configuration files manage this object (“{name}”). The next apply of the files undoes changes that are made here.',
    de: 'Konfigurationsdateien verwalten dieses Objekt („{name}“). Werden die Dateien wieder angewendet, machen sie Änderungen rückgängig, die hier erfolgen.',
  },
  locked: {
    en: 'Configuration files manage this object (“{name}”). It is locked: only applying the files changes it.',
    de: 'Konfigurationsdateien verwalten dieses Objekt („{name}“). Es ist gesperrt: Nur das Anwenden der Dateien ändert es.',
  },
  confirmTitle: { en: 'Change it here anyway?', de: 'Trotzdem hier ändern?' },
  confirm: { en: 'Change anyway', de: 'Trotzdem ändern' },
})
