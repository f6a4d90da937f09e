import { signal } from '@preact/signals'
import type { Preview } from './preview.ts'

/** The preview of the file that was uploaded last, so that errors are shown beside their rows. It is gone with the page. */
export const lastPreview = signal<{ id: string; preview: Preview } | undefined>(undefined)
