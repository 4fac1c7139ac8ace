const hooks = `
import { registerHooks } from 'node:module'
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'sharp') throw new Error('Could not load the "sharp" module')
    return next(specifier, context)
  },
})`

/** A module that makes sharp fail to load in a process and its children, as without a build for the machine. */
export const withoutSharp = `data:text/javascript,${encodeURIComponent(hooks)}`
