import { Settings } from 'typebox/system'

/** TypeBox by itself stops after eight errors, of which a member may have several; whoever validates names all. */
Settings.Set({ maxErrors: 1_000 })
