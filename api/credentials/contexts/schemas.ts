import { z } from 'zod'
import { findContextFault, findContextUrlFault } from '../../../shared/formats/own-contexts.ts'
import { described, idOf, named, WebUrl } from '../../http/fields.ts'

const exampleUrl = 'https://university.example.org/contexts/course/v1'
const exampleDocument = { '@context': { level: 'https://university.example.org/terms#level' } }

export const NewContext = z.object({
  url: WebUrl.superRefine((url, ctx) => {
    const fault = findContextUrlFault(url)
    if (fault) ctx.addIssue({ code: 'custom', message: sentence(fault) })
  }).meta({
    description: 'The URL that configurations and credentials use. The service fetches nothing from it.',
    examples: [exampleUrl],
  }),
  document: z
    .record(z.string(), z.unknown())
    .superRefine((document, ctx) => {
      const fault = findContextFault(document)
      if (fault) ctx.addIssue({ code: 'custom', message: sentence(fault) })
    })
    .meta({ description: 'The JSON-LD document that is published at the URL', examples: [exampleDocument] }),
})

function sentence(predicate: string): string {
  return predicate.charAt(0).toUpperCase() + predicate.slice(1)
}

export const ListedContextView = named(
  'ListedContext',
  'A JSON-LD context without its document',
  z.object({
    id: idOf('context'),
    url: described(z.string(), 'The URL of the context', exampleUrl),
  }),
)

export const ContextView = ListedContextView.extend({
  document: described(
    z.record(z.string(), z.unknown()),
    'The JSON-LD document that is published at the URL',
    exampleDocument,
  ),
})
