import { z } from 'zod'
import { responsesOf } from './representations/representations.ts'
import type { Route } from './route.ts'

const compiled = new WeakMap<z.ZodType, z.ZodType>()

/**
 * Compiles the schemas of a route with `compiled`. A compiled schema accepts the same values and returns the same data. zod itself checks a
 * value that the compiled schema does not accept, so that messages come from one place.
 */
export function compileSchemas(route: Route): void {
  if (!route.compiled) return
  const { params, query, body } = route
  for (const schema of [params, query, body, ...responsesOf(route)]) if (schema) compiled.set(schema, z.compile(schema))
}

/** Returns the compiled form of a schema. Returns the schema itself if it was not compiled. */
export function compiledOf(schema: z.ZodType): z.ZodType {
  return compiled.get(schema) ?? schema
}
