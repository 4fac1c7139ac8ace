export const lanternHouse = { name: 'Lantern House', address: 'Lanternekaien 12, 5003 Bergen, Norway' }
export const saltShed = { name: 'The Salt Shed', address: 'Lanternekaien 20, 5003 Bergen, Norway' }

export const greatHall = 'Great Hall'
export const ropeLoft = 'Rope Loft'
