import { z } from 'zod'
import { findContextFault, findContextUrlFault } from '../../../shared/formats/own-contexts.ts'
import { WebUrl } from '../../http/fields.ts'

export const NewContext = z.object({
  url: WebUrl.superRefine((url, ctx) => {
    const fault = findContextUrlFault(url)
    if (fault) ctx.addIssue({ code: 'custom', message: sentence(fault) })
  }).describe('By which configurations and credentials name it; nothing is fetched from there'),
  document: z
    .record(z.string(), z.unknown())
    .superRefine((document, ctx) => {
      const fault = findContextFault(document)
      if (fault) ctx.addIssue({ code: 'custom', message: sentence(fault) })
    })
    .describe('What others find at the URL'),
})

function sentence(predicate: string): string {
  return predicate.charAt(0).toUpperCase() + predicate.slice(1)
}

export const ListedContextView = z.object({ id: z.string(), url: z.string() })

export const ContextView = ListedContextView.extend({ document: z.record(z.string(), z.unknown()) })
