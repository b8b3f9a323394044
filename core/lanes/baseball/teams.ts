/** The league's team ids by the venue's codes; some clubs have two codes. */
export const teamIds: Readonly<Record<string, number>> = {
  ...{ LAA: 108, ARI: 109, AZ: 109, BAL: 110, BOS: 111, CHC: 112, CIN: 113, CLE: 114, COL: 115, DET: 116 },
  ...{ HOU: 117, KC: 118, LAD: 119, WSH: 120, WAS: 120, NYM: 121, ATH: 133, OAK: 133, PIT: 134, SD: 135 },
  ...{ SEA: 136, SF: 137, STL: 138, TB: 139, TEX: 140, TOR: 141, MIN: 142, PHI: 143, ATL: 144, CWS: 145 },
  ...{ CHW: 145, MIA: 146, NYY: 147, MIL: 158 },
}

export const teamNames: Readonly<Record<string, string>> = {
  ...{ LAA: "Los Angeles Angels", ARI: "Arizona Diamondbacks", BAL: "Baltimore Orioles", BOS: "Boston Red Sox" },
  ...{ CHC: "Chicago Cubs", CIN: "Cincinnati Reds", CLE: "Cleveland Guardians", COL: "Colorado Rockies" },
  ...{ DET: "Detroit Tigers", HOU: "Houston Astros", KC: "Kansas City Royals", LAD: "Los Angeles Dodgers" },
  ...{ WSH: "Washington Nationals", NYM: "New York Mets", ATH: "Athletics", PIT: "Pittsburgh Pirates" },
  ...{ SD: "San Diego Padres", SEA: "Seattle Mariners", SF: "San Francisco Giants", STL: "St. Louis Cardinals" },
  ...{ TB: "Tampa Bay Rays", TEX: "Texas Rangers", TOR: "Toronto Blue Jays", MIN: "Minnesota Twins" },
  ...{ PHI: "Philadelphia Phillies", ATL: "Atlanta Braves", CWS: "Chicago White Sox", MIA: "Miami Marlins" },
  ...{ NYY: "New York Yankees", MIL: "Milwaukee Brewers" },
}

/** The teams of the invented league of generated data, from places without a team of any real league. */
export const inventedNames: Readonly<Record<string, string>> = {
  ...{ ALB: "Albany Locks", ASH: "Asheville Ridges", AUG: "Augusta Pines", BAN: "Bangor Lumberjacks" },
  ...{ DAY: "Dayton Gliders", ERI: "Erie Ferries", NOR: "Norfolk Anchors", RIC: "Richmond Foundry" },
  ...{ SAV: "Savannah Lanterns", TRE: "Trenton Bridges", AMA: "Amarillo Windmills", BLX: "Biloxi Shrimpers" },
  ...{ DES: "Des Moines Silos", DUL: "Duluth Harbors", KNO: "Knoxville Fiddlers", MOB: "Mobile Magnolias" },
  ...{ OMA: "Omaha Signals", SHR: "Shreveport Cypress", TUL: "Tulsa Derricks", WIC: "Wichita Kites" },
  ...{ BLG: "Billings Bison", BOI: "Boise Sawtooths", CHE: "Cheyenne Headwinds", SAN: "Santa Fe Mesas" },
  ...{ PRO: "Provo Beacons", FRE: "Fresno Orchards", REN: "Reno Assayers", SAL: "Salem Rainmakers" },
  ...{ SPO: "Spokane Falls", STO: "Stockton Levees" },
}
