"""Written by `npm run client` from the endpoints' schemas. Do not edit."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NotRequired, TypedDict

if TYPE_CHECKING:
    from .client import Answer, Client

VERSION = "0.4.0"


class Endpoint(NamedTuple):
    method: str
    path: str
    is_keyed: bool
    is_paid: bool
    #: The field of the results with the rows of a list.
    rows: str | None


endpoints: dict[str, Endpoint] = {
    "weather_stations": Endpoint("GET", "/v1/weather/stations", True, False, "stations"),
    "weather_settlement": Endpoint("GET", "/v1/weather/settlement", True, True, None),
    "weather_settlement_history": Endpoint("GET", "/v1/weather/settlement/history", True, True, "days"),
    "weather_forecast": Endpoint("GET", "/v1/weather/forecast", True, True, None),
    "weather_signal": Endpoint("GET", "/v1/weather/signal", True, True, None),
    "weather_performance": Endpoint("GET", "/v1/weather/performance", False, False, None),
    "nfl_games": Endpoint("GET", "/v1/nfl/games", True, True, "games"),
    "nfl_qb": Endpoint("GET", "/v1/nfl/qb", True, True, None),
    "nfl_injuries": Endpoint("GET", "/v1/nfl/injuries", True, True, None),
    "nfl_top100": Endpoint("GET", "/v1/nfl/top100", True, True, "players"),
    "nfl_fair_line": Endpoint("GET", "/v1/nfl/fair-line", True, True, None),
    "nfl_performance": Endpoint("GET", "/v1/nfl/performance", False, False, None),
    "mlb_games": Endpoint("GET", "/v1/mlb/games", True, True, "games"),
    "mlb_fair_odds": Endpoint("GET", "/v1/mlb/fair-odds", True, True, None),
    "mlb_performance": Endpoint("GET", "/v1/mlb/performance", False, False, None),
    "crypto_spot": Endpoint("GET", "/v1/crypto/spot", True, False, None),
    "crypto_signal": Endpoint("GET", "/v1/crypto/signal", True, True, None),
    "crypto_performance": Endpoint("GET", "/v1/crypto/performance", False, False, None),
    "markets_edge": Endpoint("GET", "/v1/markets/edge", True, True, "edges"),
    "markets_settled": Endpoint("GET", "/v1/markets/settled", False, False, "rows"),
    "markets_history": Endpoint("GET", "/v1/markets/history", True, True, "points"),
    "markets_performance": Endpoint("GET", "/v1/markets/performance", False, False, None),
    "bench_contracts": Endpoint("GET", "/v1/bench/contracts", True, False, "contracts"),
    "bench_models": Endpoint("GET", "/v1/bench/models", False, False, "models"),
    "bench_opinions": Endpoint("POST", "/v1/bench/opinions", True, False, "opinions"),
    "bench_withdraw": Endpoint("POST", "/v1/bench/withdraw", True, False, None),
    "sec_filing": Endpoint("GET", "/v1/sec/filing", True, False, None),
    "key": Endpoint("GET", "/v1/key", True, False, None),
    "wallet": Endpoint("GET", "/v1/wallet", True, False, None),
    "plan_estimate": Endpoint("POST", "/v1/plan/estimate", True, False, None),
    "find": Endpoint("GET", "/v1/find", True, False, None),
    "alerts_create": Endpoint("POST", "/v1/alerts", True, False, None),
    "alerts_delete": Endpoint("DELETE", "/v1/alerts/:alert", True, False, None),
    "alerts_list": Endpoint("GET", "/v1/alerts", True, False, None),
    "webhooks_create": Endpoint("POST", "/v1/webhooks", True, False, None),
    "webhooks_delete": Endpoint("DELETE", "/v1/webhooks/:webhook", True, False, None),
    "webhooks_list": Endpoint("GET", "/v1/webhooks", True, False, None),
    "proof_checkpoint": Endpoint("GET", "/v1/proof/checkpoint", False, False, None),
    "proof_inclusion": Endpoint("GET", "/v1/proof/inclusion", False, False, None),
    "proof_consistency": Endpoint("GET", "/v1/proof/consistency", False, False, None),
}


class WeatherStations(TypedDict):
    stations: list[Station]
    count: float
    #: Kalshi's weather series that no model prices; they are on no board.
    not_priced: NotRequired[list[WeatherStationsNotPriced]]


class Station(TypedDict):
    #: Registry id (ICAO).
    id: str
    name: str
    city: str
    #: Two letters.
    state: str
    #: IANA time zone.
    tz: str
    #: AWIPS id of the official report product.
    cli_product: str
    #: Where the station's values are traded, and how the venue's source agrees with these reports.
    settles: StationSettles
    coordinates: StationCoordinates


class StationSettles(TypedDict):
    venue_high_series: str | Literal[None]
    venue_low_series: str | Literal[None]
    #: Prefix of the slugs of Polymarket's contracts on the high at this station; null if there are none or they use another station.
    polymarket: str | Literal[None]
    #: Counted over stored values; omitted while no value of the venue's source is stored.
    agreement: NotRequired[StationSettlesAgreement]


class StationSettlesAgreement(TypedDict):
    #: The venue's settlement source.
    venue_source: str
    #: Highs and lows that both have: the source's first official values and those of the first final report.
    compared: float
    equal: float
    #: Equal or one degree apart.
    within_one: float
    #: Days with a final report but without an official value of the source.
    missing: float
    equal_share: NotRequired[StationSettlesAgreementEqualShare]
    differences: list[SettlementDifference]


class StationSettlesAgreementEqualShare(TypedDict):
    #: `equal` / `compared`, with its Wilson interval; omitted if nothing was compared.
    estimate: float
    low: float
    high: float
    #: Coverage of low to high.
    level: float


class SettlementDifference(TypedDict):
    day: str
    extreme: Literal["high", "low"]
    #: Degrees Fahrenheit.
    report_f: float
    #: Degrees Fahrenheit.
    venue_f: float


class StationCoordinates(TypedDict):
    lat: float
    lon: float


class WeatherStationsNotPriced(TypedDict):
    #: `*` stands for letters.
    series: str
    pays_on: str


class WeatherSettlement(TypedDict):
    station: StationSummary
    settlement: SettlementDay


class StationSummary(TypedDict):
    #: Registry id (ICAO).
    id: str
    name: str
    city: str
    #: Two letters.
    state: str
    #: IANA time zone.
    tz: str
    #: AWIPS id of the official report product.
    cli_product: str


class SettlementDay(TypedDict):
    #: The climate day: local standard midnight to midnight, also in summer.
    day: str
    #: Degrees Fahrenheit, verbatim. Omitted when missing in the report.
    high_f: NotRequired[float]
    #: Degrees Fahrenheit, verbatim. Omitted when missing in the report.
    low_f: NotRequired[float]
    #: Local standard time, as printed in the report.
    high_time_local: NotRequired[str]
    #: Local standard time, as printed in the report.
    low_time_local: NotRequired[str]
    #: Inches; a trace is 0 with the flag `precip_trace`.
    precip_in: NotRequired[float]
    #: Inches; a trace is 0 with the flag `snow_trace`.
    snow_in: NotRequired[float]
    #: Archive or feed of the report.
    source: str
    #: Id of the text product: issue time, office, heading, AWIPS id.
    weather_service_product_id: str
    #: `final` once the climate day is over, else `preliminary`.
    status: NotRequired[str]
    #: When the office issued the product.
    issued_at: NotRequired[str]
    #: 1 for the day's first version, 2 for the second, and so on.
    revision: NotRequired[float]
    #: Product id of the previous version.
    corrects: NotRequired[str]
    #: The day's first final report. Contracts that settle on the first official, non-preliminary report settle on it, even if a later version corrects it. Omitted until there is one.
    first_official: NotRequired[SettlementDayFirstOfficial]
    quality_flags: NotRequired[list[str]]


class SettlementDayFirstOfficial(TypedDict):
    weather_service_product_id: str
    issued_at: str
    high_f: NotRequired[float]
    low_f: NotRequired[float]


class WeatherSettlementHistory(TypedDict):
    station: StationSummary
    start: str
    end: str
    #: Rows on this page.
    count: float
    days: list[SettlementDay]
    #: First and last stored day of this station.
    coverage: WeatherSettlementHistoryCoverage
    missing_days: NotRequired[list[str]]


class WeatherSettlementHistoryCoverage(TypedDict):
    first: str | Literal[None]
    last: str | Literal[None]


class WeatherForecast(TypedDict):
    location: WeatherForecastLocation
    #: When the office last updated its grid: local timestamp without offset.
    generated_at: str
    #: `12h` or `1h`.
    granularity: str
    periods: list[ForecastPeriod]
    alerts: list[WeatherAlert]
    #: Sorted, open vocabulary: active_alert, air_quality, extreme_cold (≤ 0 °F), extreme_heat (≥ 100 °F), fire_weather, flood, freeze (≤ 32 °F), heavy_precip (≥ 70 %), high_wind (≥ 40 mph or such an alert), thunderstorm, tornado, tropical, winter_storm.
    risk_flags: list[str]


class WeatherForecastLocation(TypedDict):
    lat: float
    lon: float
    name: str
    grid: WeatherForecastLocationGrid
    timezone: str


class WeatherForecastLocationGrid(TypedDict):
    office: str
    x: float
    y: float


class ForecastPeriod(TypedDict):
    name: str
    #: Local timestamp.
    start: str
    #: Local timestamp.
    end: str
    is_day: bool
    temp_f: float
    #: Probability of precipitation, percent.
    precip_pct: NotRequired[float]
    wind_mph_max: NotRequired[float]
    wind_dir: NotRequired[str]
    summary: str


class WeatherAlert(TypedDict):
    id: str
    event: str
    #: CAP vocabulary.
    severity: str
    #: CAP vocabulary.
    certainty: str
    #: CAP vocabulary.
    urgency: str
    headline: NotRequired[str]
    area_desc: str
    effective: str
    onset: NotRequired[str]
    expires: str
    ends: NotRequired[str]
    sender_name: str
    description: NotRequired[str]
    instruction: NotRequired[str]
    status: NotRequired[str]
    message_type: NotRequired[str]


class WeatherSignal(TypedDict):
    target_day: str
    projection: WeatherSignalProjection
    uncertainty: WeatherSignalUncertainty
    probabilities: WeatherSignalProbabilities
    #: Which report the probabilities refer to, and on which source the venue settles.
    market_note: str
    second_forecasts: NotRequired[list[SecondForecast]]
    #: This model's distributions beside those of the National Blend of Models; omitted without its bulletin.
    percentiles: NotRequired[list[TemperaturePercentiles]]
    model_version: NotRequired[str]
    settlement_basis: NotRequired[WeatherSignalSettlementBasis]


class WeatherSignalProjection(TypedDict):
    #: Centre of the distribution, after bias correction.
    high_f: float
    #: Centre of the distribution, after bias correction.
    low_f: float
    peak_time_utc: str
    #: Hours of the climate day backed by a forecast or an observation.
    hours_covered: float


class WeatherSignalUncertainty(TypedDict):
    #: Widens with lead_days.
    sigma_f: float
    lead_days: float
    #: The forecast errors that sigma was fitted on: their number, leads and days.
    calibration: str


class WeatherSignalProbabilities(TypedDict):
    #: Probability that the official high is exactly this integer degree.
    pmf: dict[str, float]
    #: Probability that the official high is at least this degree.
    ge: dict[str, float]
    #: The same for the official low.
    low: WeatherSignalProbabilitiesLow


class WeatherSignalProbabilitiesLow(TypedDict):
    pmf: dict[str, float]
    ge: dict[str, float]
    le: dict[str, float]


class SecondForecast(TypedDict):
    source: str
    #: The model's run.
    issued_at: str
    high_f: NotRequired[float]
    low_f: NotRequired[float]
    #: Its weight in the high, beside the grid's forecast; 0 until the archive shows that it helps.
    weight: float


class TemperaturePercentiles(TypedDict):
    variable: Literal["high", "low"]
    source: str
    #: The model's run.
    issued_at: NotRequired[str]
    mean_f: float
    #: Standard deviation.
    sigma_f: NotRequired[float]
    #: The official value is at most this with a probability of 10 %.
    p10_f: float
    p25_f: float
    p50_f: float
    p75_f: float
    p90_f: float
    #: Mean continuous ranked probability score of archived distributions for this station and lead, on the same days for both sources; omitted below 20 days. Those of this model are without second forecasts and observations.
    crps: NotRequired[float]


class WeatherSignalSettlementBasis(TypedDict):
    model_source: str
    venue_source: str
    same: bool
    #: How many of the compared values are equal in both sources, such as `312 of 314`; omitted if none was compared.
    agreement: NotRequired[str]


class WeatherPerformance(TypedDict):
    #: When distributions were last scored.
    as_of: str
    data_freshness: Literal["mock", "shadow", "live"]
    #: Versions of the models that issued the distributions.
    model_versions: list[str]
    #: All instruments together first, then one after the other.
    rows: list[WeatherPerformanceRow]


class WeatherPerformanceRow(TypedDict):
    variable: Literal["high", "low"]
    #: Climate days from the capture to the forecast day: 0 on the day itself.
    lead_days: float
    #: Omitted for all stations together.
    station: NotRequired[str]
    #: Scored distributions of the last 365 days.
    n: float
    #: Mean continuous ranked probability score, degrees Fahrenheit; lower is better. For a forecast without spread it is the absolute error.
    crps: float
    #: By a bootstrap over clusters; omitted with fewer than ten.
    crps_interval: NotRequired[WeatherPerformanceRowCrpsInterval]
    #: Shares of 10 equal bins of the probability integral transform, 0 to 1: all near 0.1 if the distributions are right, U-shaped if they are too narrow.
    pit: list[float]
    #: Share of outcomes in the central half of their distributions: near 0.5 if these are right.
    coverage_50: float
    coverage_80: float
    coverage_90: float


class WeatherPerformanceRowCrpsInterval(TypedDict):
    low: float
    high: float
    level: float


class NflGames(TypedDict):
    #: Rows on this page.
    count: float
    games: list[NflGame]


class NflGame(TypedDict):
    #: League-data id: season, week with two digits, away team, home team.
    game_id: str
    season: float
    week: float
    #: `REG`, or the playoff round: `WC`, `DIV`, `CON`, `SB`.
    game_type: str
    gameday: str
    #: HH:MM, US Eastern, as in the schedule.
    kickoff_local: NotRequired[str]
    #: Code of the team in this season.
    home_team: str
    #: Code of the team in this season.
    away_team: str
    home_score: float | Literal[None]
    away_score: float | Literal[None]
    result: float | Literal[None]
    total: float | Literal[None]
    #: Consensus lines; omitted if none is posted.
    market: NotRequired[NflGameMarket]
    #: Days since the team's last game.
    rest: NflGameRest
    #: `outdoors`, `dome`, `closed` or `open`; omitted if it is not certain, as at a neutral site.
    roof: NotRequired[str]
    surface: NotRequired[str]
    #: Starting quarterbacks; before the game the expected ones. Omitted while unknown.
    qbs: NflGameQbs
    #: Omitted if it is not certain, as at a neutral site.
    stadium: NotRequired[str]
    #: `true` at a neutral site; omitted otherwise.
    neutral: NotRequired[bool]
    #: The upstream data set.
    source: NotRequired[str]
    #: When the data set was fetched.
    fetched_at: NotRequired[str]
    #: Open vocabulary. `line_sign_conflict`: spread and moneylines do not favour the same team.
    quality_flags: NotRequired[list[str]]


class NflGameMarket(TypedDict):
    #: Points; positive: the home team is favoured.
    spread_line: NotRequired[float]
    #: Total points of both teams.
    total_line: NotRequired[float]
    #: American odds.
    home_moneyline: NotRequired[float]
    #: American odds.
    away_moneyline: NotRequired[float]


class NflGameRest(TypedDict):
    home: float
    away: float


class NflGameQbs(TypedDict):
    home: NotRequired[str]
    away: NotRequired[str]


class NflQuarterback(TypedDict):
    player: str
    #: GSIS id.
    player_id: str
    #: The team of the most recent week.
    team: str
    #: Sums over the returned weeks.
    aggregates: NflQuarterbackAggregates
    weeks: list[NflQuarterbackWeek]
    #: Open vocabulary. `stat_lines_incomplete`: the source lacks weeks since the oldest returned one.
    quality_flags: NotRequired[list[str]]
    #: The upstream data set.
    source: NotRequired[str]
    #: When the data set was fetched.
    fetched_at: NotRequired[str]


class NflQuarterbackAggregates(TypedDict):
    weeks: float
    completions: float
    attempts: float
    passing_yards: float
    passing_tds: float
    interceptions: float
    sacks_suffered: float
    #: Mean `passing_epa` of the weeks that have it.
    epa_per_week: NotRequired[float]
    #: Unweighted mean `cpoe` of the weeks that have it.
    cpoe_mean: NotRequired[float]


class NflQuarterbackWeek(TypedDict):
    season: float
    week: float
    #: GSIS id.
    player_id: str
    player_name: str
    #: Code of the team in this season.
    team: str
    #: Code of the team in this season.
    opponent: str
    completions: float
    attempts: float
    passing_yards: float
    passing_tds: float
    interceptions: float
    sacks_suffered: float
    #: Expected points added.
    passing_epa: NotRequired[float]
    #: Completion percentage over expectation; omitted if it was not measured.
    cpoe: NotRequired[float]
    rushing_yards: float
    rushing_tds: float


class NflQuarterbackCandidates(TypedDict):
    ambiguous: Literal[True]
    #: The requested name.
    query: str
    #: At most 10, most recent first. This answer is not charged.
    candidates: list[NflQuarterbackCandidate]


class NflQuarterbackCandidate(TypedDict):
    #: GSIS id; accepted as `player`.
    player_id: str
    player: str
    team: str
    position: str
    first_season: float
    last_season: float
    #: Career pass attempts in the loaded seasons.
    attempts: float


class NflInjuries(TypedDict):
    team: str
    #: The season of every row.
    season: float
    week: float | Literal[None]
    current_season: float
    is_current_season: bool
    #: Official practice and game-status rows, in season only.
    report: NflInjuriesReport
    #: All year round.
    reserve_list: NflInjuriesReserveList
    #: The upstream data set.
    source: NotRequired[str]
    #: When the data set was fetched.
    fetched_at: NotRequired[str]


class NflInjuriesReport(TypedDict):
    count: float
    #: Players per `report_status`; a blank status counts under `none`.
    by_status: dict[str, float]
    players: list[NflInjuredPlayer]
    #: Open vocabulary. `report_absent`: the season or week has no report. `reports_incomplete`, `rosters_incomplete`: the source lacks weeks of the season. `report_from_rosters`: the official report is late; players are those inactive on the newest roster. `source_disagreement`: a player reported out is not inactive on that week's roster.
    quality_flags: NotRequired[list[str]]


class NflInjuredPlayer(TypedDict):
    player: str
    gsis_id: NotRequired[str]
    position: NotRequired[str]
    week: float
    #: Game status, such as `Out` or `Questionable`; omitted when blank.
    report_status: NotRequired[str]
    practice_status: NotRequired[str]
    injury: NotRequired[str]


class NflInjuriesReserveList(TypedDict):
    #: Week of the roster; omitted when the season has none.
    as_of_week: NotRequired[float]
    count: float
    players: list[NflReservePlayer]


class NflReservePlayer(TypedDict):
    player: str
    gsis_id: NotRequired[str]
    position: NotRequired[str]
    #: Roster status code.
    status: str
    #: Meaning of the code: injured reserve, PUP, suspension and others.
    designation: NotRequired[str]


class NflTop100(TypedDict):
    #: Year of publication.
    season: float
    #: Rows on this page.
    count: float
    players: list[NflTop100Player]
    #: The upstream data set.
    source: NotRequired[str]
    #: When the data set was fetched.
    fetched_at: NotRequired[str]


class NflTop100Player(TypedDict):
    rank: float
    player_name: str
    team: str
    position: str


class NflFairLine(TypedDict):
    game: NflGameSummary
    prediction: NflFairLinePrediction
    #: The home win beside a venue's price. Omitted without a fresh two-sided quote, and if the data are not live. Spreads and totals are not pooled.
    home_win: NotRequired[HomeWinPrice]
    #: Games of this season in the model's state.
    form_games_used: NflFairLineFormGamesUsed
    #: The game has kicked off; the model's state is from before kickoff.
    retrospective: bool
    recorded_to_track_record: bool


class NflGameSummary(TypedDict):
    #: League-data id: season, week with two digits, away team, home team.
    game_id: str
    season: float
    week: float
    gameday: str
    #: Code of the team in this season.
    home_team: str
    #: Code of the team in this season.
    away_team: str
    #: `outdoors`, `dome`, `closed` or `open`; omitted if it is not certain, as at a neutral site.
    roof: NotRequired[str]
    surface: NotRequired[str]
    #: Starting quarterbacks; before the game the expected ones. Omitted while unknown.
    qbs: NflGameSummaryQbs
    #: Omitted if it is not certain, as at a neutral site.
    stadium: NotRequired[str]
    #: `true` at a neutral site; omitted otherwise.
    neutral: NotRequired[bool]


class NflGameSummaryQbs(TypedDict):
    home: NotRequired[str]
    away: NotRequired[str]


class NflFairLinePrediction(TypedDict):
    model_version: str
    fair_line: NflFairLinePredictionFairLine
    #: Of the margin, home minus away: P(margin above 3.5) is the sum of the elements from 4 on.
    margin_distribution: NotRequired[NflFairLinePredictionMarginDistribution]
    #: Of the total points of both teams.
    total_distribution: NotRequired[NflFairLinePredictionTotalDistribution]
    #: The posted line; omitted when there is none.
    market: NotRequired[NflFairLinePredictionMarket]
    #: Model minus posted line; omitted when there is none.
    edge: NotRequired[NflFairLinePredictionEdge]
    #: The model's probabilities at the posted line. `worth_of_a_point` of `nfl_performance` says what a point of edge has been worth.
    at_posted: NotRequired[NflFairLinePredictionAtPosted]
    #: The parts of home_margin, largest first.
    drivers: list[NflDriver]
    #: Time of the model's state; never after kickoff.
    as_of: NotRequired[str]
    #: SHA-256 of the inputs, stored under it for recorded lines; equal inputs are stored once.
    inputs_hash: NotRequired[str]
    #: Open vocabulary. `line_sign_conflict`: spread and moneylines do not favour the same team. `team_stats_incomplete`, `results_incomplete`: an input of the model lacks weeks before the game; the line is not recorded.
    quality_flags: NotRequired[list[str]]


class NflFairLinePredictionFairLine(TypedDict):
    #: Expected points of home minus away.
    home_margin: float
    #: Bookmaker's sign, from the home side: −home_margin.
    spread: float
    total: float
    win_prob_home: float
    win_prob_away: float
    #: Standard deviation of the margin, points.
    sigma_margin: float
    #: Median of the discrete distribution of the margin.
    median_margin: NotRequired[float]
    #: Standard deviation of the total, points.
    sigma_total: NotRequired[float]


NflFairLinePredictionMarginDistribution = TypedDict("NflFairLinePredictionMarginDistribution", {
    #: The number that the first probability belongs to.
    "from": "float",
    #: Probabilities of that number and of those after it, to a billionth.
    "pmf": "list[float]",
})


NflFairLinePredictionTotalDistribution = TypedDict("NflFairLinePredictionTotalDistribution", {
    #: The number that the first probability belongs to.
    "from": "float",
    #: Probabilities of that number and of those after it, to a billionth.
    "pmf": "list[float]",
})


class NflFairLinePredictionMarket(TypedDict):
    #: Points; positive: the home team is favoured.
    spread_line: NotRequired[float]
    #: Total points of both teams.
    total_line: NotRequired[float]


class NflFairLinePredictionEdge(TypedDict):
    #: home_margin − spread_line.
    spread_points: NotRequired[float]
    #: Omitted at 0.
    side: NotRequired[Literal["home", "away"]]
    #: Fair total − total_line.
    total_points: NotRequired[float]
    #: Omitted at 0.
    ou: NotRequired[Literal["over", "under"]]


class NflFairLinePredictionAtPosted(TypedDict):
    #: P(margin above spread_line).
    home_cover_prob: NotRequired[float]
    #: P(margin below it).
    away_cover_prob: NotRequired[float]
    #: P(margin equal to it); 0 at half points.
    spread_push_prob: NotRequired[float]
    #: P(points above total_line).
    over_prob: NotRequired[float]
    #: P(points below it).
    under_prob: NotRequired[float]
    #: P(points equal to it); 0 at half points.
    total_push_prob: NotRequired[float]


class NflDriver(TypedDict):
    feature: str
    #: Positive: towards the home team.
    points: float


class HomeWinPrice(TypedDict):
    venue: str
    #: The venue's ticker; it pays if the home team wins.
    market: str
    #: Midpoint of yes bid and yes ask.
    market_prob: float
    #: `no` if the model is below the market.
    side: Literal["yes", "no"]
    #: Of yes, by model and market together; the market's price if `pool_weight` is 0.
    pooled_prob: float
    #: Weight of the model against the market price, in log-odds, 0 to 1; earned by the domain's settled record.
    pool_weight: float
    #: Pooled probability of `side` − ask − fee, dollars per contract. Omitted if the fee is unknown.
    expected_gain: NotRequired[float]
    #: When the venue's quote was read.
    quoted_at: str


class NflFairLineFormGamesUsed(TypedDict):
    home: float
    away: float


class NflPerformance(TypedDict):
    model_version: str
    trained_at: str
    #: Seasons on which no constant of the model was chosen. Each line uses only the gamedays before its game, and not the game's weather. The quarterbacks are the actual starters, who are known a few days ahead at best.
    backtest_holdout: NflPerformanceBacktestHoldout
    #: The record against the closing spread, with 95 % intervals over weeks.
    against_the_spread: list[NflAgainstTheSpread]
    live: NflPerformanceLive
    #: The input data of the backtest.
    inputs: NotRequired[list[NflBacktestInput]]
    #: Required by the licence of the data.
    attribution: NotRequired[str]


class NflPerformanceBacktestHoldout(TypedDict):
    games: float
    spread: NflPerformanceBacktestHoldoutSpread
    total: NflPerformanceBacktestHoldoutTotal
    moneyline: NflPerformanceBacktestHoldoutMoneyline
    #: The same games with each team's last starter instead of the actual one, as in lines before starters are announced.
    last_starters: NflPerformanceBacktestHoldoutLastStarters
    #: Ties, left out of accuracy and Brier scores.
    ties_excluded: NotRequired[float]


class NflPerformanceBacktestHoldoutSpread(TypedDict):
    #: Points.
    mae_model: float
    #: Points.
    mae_market: float
    #: Share of winners predicted; ties are left out.
    su_accuracy_model: float
    #: Share of winners predicted; ties are left out.
    su_accuracy_market: float
    #: Share of decided bets that must win to break even at −110.
    ats_breakeven: float


class NflPerformanceBacktestHoldoutTotal(TypedDict):
    #: Points.
    mae_model: float
    #: Points.
    mae_market: float


class NflPerformanceBacktestHoldoutMoneyline(TypedDict):
    #: Games with both moneylines.
    games_priced: float
    brier_model_wp: float
    #: Of the moneylines, the bookmaker's margin removed in proportion.
    brier_market_devig: float


class NflPerformanceBacktestHoldoutLastStarters(TypedDict):
    spread: NflPerformanceBacktestHoldoutLastStartersSpread
    total: NflPerformanceBacktestHoldoutLastStartersTotal
    moneyline: NflPerformanceBacktestHoldoutLastStartersMoneyline


class NflPerformanceBacktestHoldoutLastStartersSpread(TypedDict):
    #: Points.
    mae_model: float
    #: Share of winners predicted; ties are left out.
    su_accuracy_model: float


class NflPerformanceBacktestHoldoutLastStartersTotal(TypedDict):
    #: Points.
    mae_model: float


class NflPerformanceBacktestHoldoutLastStartersMoneyline(TypedDict):
    brier_model_wp: float


NflAgainstTheSpread = TypedDict("NflAgainstTheSpread", {
    #: First season.
    "from": "float",
    #: Last season.
    "to": "float",
    #: True if constants of the model were chosen on these seasons.
    "development": "bool",
    #: How many points the result lay beyond the closing line for each point that the model did: 1 if the model were right, 0 if it adds nothing to the closing line.
    "worth_of_a_point": "NflAgainstTheSpreadWorthOfAPoint",
    #: Bets on the model's side at the closing line, by the points between the two.
    "by_edge": "list[NflEdgeRecord]",
})


class NflAgainstTheSpreadWorthOfAPoint(TypedDict):
    estimate: float
    low: NotRequired[float]
    high: NotRequired[float]


class NflEdgeRecord(TypedDict):
    from_points: float
    #: Exclusive; omitted for the widest.
    to_points: NotRequired[float]
    wins: float
    losses: float
    pushes: float
    #: Share of decided bets that won; compare `ats_breakeven`.
    share_won: float
    low: NotRequired[float]
    high: NotRequired[float]


class NflPerformanceLive(TypedDict):
    predictions_scored: float
    #: Predicted games not scored yet.
    games_pending: float
    #: Predicted games that will not be scored: called off, or moved to another week under a new id.
    games_void: NotRequired[float]
    #: `no_predictions`, `awaiting_results` or `scoring`.
    status: str
    #: Means over the scored predictions, of model and market.
    scores: NotRequired[dict[str, float]]


class NflBacktestInput(TypedDict):
    name: str
    sha256: str


class MlbGames(TypedDict):
    date: str
    #: Rows on this page.
    count: float
    games: list[MlbGame]


class MlbGame(TypedDict):
    #: The league's game id.
    gamePk: float
    #: The league's detailed state, an open vocabulary; `Scheduled` before the game.
    state: str
    venue: str
    #: First pitch, UTC.
    game_date_utc: str
    #: `N`, `Y` or `S` (split).
    double_header: str
    #: 1 or 2 on a day with two games.
    game_number: float
    home: MlbSlateSide
    away: MlbSlateSide
    #: The league's date of the game.
    official_date: NotRequired[str]
    #: The upstream.
    source: NotRequired[str]
    #: When it was fetched from the upstream.
    fetched_at: NotRequired[str]


class MlbSlateSide(TypedDict):
    team_id: float
    name: str
    #: W-L.
    record: str
    #: Omitted while unknown.
    probable_pitcher: NotRequired[str]
    #: Omitted while unknown.
    probable_pitcher_id: NotRequired[float]


class MlbFairOdds(TypedDict):
    game: MlbOddsGame
    prediction: MlbFairOddsPrediction
    #: The home win beside a venue's price. Omitted without a fresh two-sided quote, and if the data are not live. Spreads and totals are not pooled.
    home_win: NotRequired[HomeWinPrice]
    ledger: MlbFairOddsLedger


class MlbOddsGame(TypedDict):
    #: The league's game id.
    gamePk: float
    #: The league's detailed state, an open vocabulary; `Scheduled` before the game.
    state: str
    venue: str
    home: MlbOddsSide
    away: MlbOddsSide


class MlbOddsSide(TypedDict):
    name: str
    #: W-L.
    record: str
    #: Omitted while unknown.
    probable_pitcher: NotRequired[str]


class MlbFairOddsPrediction(TypedDict):
    model_version: str
    win_prob_home: float
    win_prob_away: float
    inputs: MlbFairOddsPredictionInputs
    #: The parts of logit win_prob_home, which sum to it, largest first.
    drivers: NotRequired[list[MlbDriver]]
    #: The line-ups that teams post hours before the first pitch.
    line_up: NotRequired[MlbFairOddsPredictionLineUp]
    #: Time of the inputs; never after the first pitch.
    as_of: NotRequired[str]
    #: The log-odds from runs = home_edge + pythagorean · (logit home_pyth − logit away_pyth) + starter_era · (away_starter_era − home_starter_era)
    coefficients: NotRequired[MlbFairOddsPredictionCoefficients]
    #: Differences of skills; absent without them (`no_skills`).
    skills: NotRequired[MlbFairOddsPredictionSkills]
    #: The data behind the inputs, before shrinkage.
    raw: NotRequired[MlbFairOddsPredictionRaw]
    quality_flags: NotRequired[list[str]]


class MlbFairOddsPredictionInputs(TypedDict):
    #: Pythagorean expectation, shrunk to its prior, as used by the model.
    home_pyth: float
    #: Pythagorean expectation, shrunk to its prior, as used by the model.
    away_pyth: float
    #: Games of this season behind home_pyth.
    home_games: float
    #: Games of this season behind away_pyth.
    away_games: float
    #: Earned runs per nine innings, shrunk to its prior, as the model uses it. Omitted while the starter is unknown; the model then uses the league mean.
    home_starter_era: NotRequired[float]
    #: Earned runs per nine innings, shrunk to its prior, as the model uses it. Omitted while the starter is unknown; the model then uses the league mean.
    away_starter_era: NotRequired[float]
    #: The starter's actual ERA this season; omitted before his first inning.
    home_starter_era_raw: NotRequired[float]
    #: The starter's actual ERA this season; omitted before his first inning.
    away_starter_era_raw: NotRequired[float]
    #: Log-odds; 0 at a neutral site.
    home_edge: float


class MlbDriver(TypedDict):
    #: In words.
    feature: str
    #: Positive: towards the home team.
    log_odds: float


class MlbFairOddsPredictionLineUp(TypedDict):
    #: True if it is part of win_prob_home.
    used: bool
    #: Value of the home team's posted line-up minus the visitors', each relative to its team's last 15 games: runs by linear weights per plate appearance.
    difference: NotRequired[float]
    #: Why it is not used.
    reason: NotRequired[str]


class MlbFairOddsPredictionCoefficients(TypedDict):
    #: Log-odds per unit of logit home_pyth − logit away_pyth.
    pythagorean: float
    #: Log-odds per earned run of away_starter_era − home_starter_era.
    starter_era: float
    #: Used for an unknown starter.
    league_era: float
    #: logit win_prob_home = constant + runs · (the log-odds from runs) + starter_kbb · skills.kbb.starter + …; absent without skills.
    skill: NotRequired[MlbFairOddsPredictionCoefficientsSkill]
    #: logit win_prob_home = the log-odds with skills + line_up · line_up.difference; absent without line-ups.
    line_up: NotRequired[MlbFairOddsPredictionCoefficientsLineUp]


class MlbFairOddsPredictionCoefficientsSkill(TypedDict):
    #: Log-odds of the home side; counts as 0 at a neutral site.
    constant: float
    #: Share of the log-odds from runs.
    runs: float
    starter_kbb: float
    bullpen_kbb: float
    bats_kbb: float
    bullpen_lw: float
    bats_lw: float


class MlbFairOddsPredictionCoefficientsLineUp(TypedDict):
    #: Log-odds per unit of line_up.difference.
    line_up: float


class MlbFairOddsPredictionSkills(TypedDict):
    kbb: MlbFairOddsPredictionSkillsKbb
    lw: MlbFairOddsPredictionSkillsLw


class MlbFairOddsPredictionSkillsKbb(TypedDict):
    #: Strikeouts minus walks per batter faced, the visitors' minus the home team's.
    starter: float
    #: Strikeouts minus walks per batter faced, the visitors' minus the home team's.
    bullpen: float
    #: Strikeouts minus walks per batter faced, the home team's minus the visitors'.
    bats: float


class MlbFairOddsPredictionSkillsLw(TypedDict):
    #: Runs by linear weights per batter faced, the visitors' minus the home team's.
    starter: float
    #: Runs by linear weights per batter faced, the visitors' minus the home team's.
    bullpen: float
    #: Runs by linear weights per batter faced, the home team's minus the visitors'.
    bats: float


class MlbFairOddsPredictionRaw(TypedDict):
    #: Games before this day count.
    before: str
    home: MlbRawSide
    away: MlbRawSide


class MlbRawSide(TypedDict):
    #: Scored this season.
    runs: float
    #: Allowed this season.
    runs_allowed: float
    #: Omitted for a team without a last season.
    last_season_pyth: NotRequired[float]
    #: This season; thirds are thirds.
    starter_innings: NotRequired[float]
    #: This season.
    starter_earned_runs: NotRequired[float]
    #: Earlier seasons, each decayed by its age.
    starter_carried_innings: NotRequired[float]
    #: Earlier seasons, each decayed by its age.
    starter_carried_earned_runs: NotRequired[float]


class MlbFairOddsLedger(TypedDict):
    #: Captures of this call with a venue's price, for public scoring.
    snapshots_recorded: float


class MlbPerformance(TypedDict):
    model_version: str
    backtest: MlbPerformanceBacktest
    #: How often the home team won, by tenth of its probability. Empty tenths are left out.
    calibration: NotRequired[list[MlbCalibration]]
    #: Day of the newest game in the fit.
    trained_at: NotRequired[str]
    #: Current coefficients of the log-odds from runs; home_edge is in log-odds.
    coefficients: NotRequired[MlbPerformanceCoefficients]
    #: Required by the licence of the data.
    attribution: str
    #: The input data of the backtest.
    inputs: NotRequired[list[MlbBacktestInput]]


class MlbPerformanceBacktest(TypedDict):
    #: Seasons 2019–2021, each with coefficients fitted on earlier seasons. No constant was tuned on them, but one, the share of earned runs, can be checked only against the game logs of 2020 and 2021.
    overall: MlbPerformanceBacktestOverall


class MlbPerformanceBacktestOverall(TypedDict):
    games: float
    #: Share of games whose winner had the higher model probability.
    accuracy: float
    brier_model: float
    brier_market: float
    #: The same for the market's probability.
    accuracy_market: float
    #: Flat bets of one unit at the posted price.
    bets: float
    wins: float
    losses: float
    hit_rate: float
    #: Net result.
    units: float
    #: Net result per unit staked.
    roi: float
    #: One standard error each, assuming independent games.
    standard_errors: NotRequired[MlbPerformanceBacktestOverallStandardErrors]


class MlbPerformanceBacktestOverallStandardErrors(TypedDict):
    accuracy: float
    brier_model: float
    brier_market: float
    #: Of brier_model − brier_market on the same games.
    brier_difference: float
    roi: float


MlbCalibration = TypedDict("MlbCalibration", {
    #: First season.
    "from": "float",
    #: Last season.
    "to": "float",
    #: Σ |mean probability − frequency| · count / all over the bins.
    "calibration_error": "float",
    "bins": "list[MlbReliabilityBin]",
})


class MlbReliabilityBin(TypedDict):
    count: float
    mean_probability: float
    #: Share of home wins.
    frequency: float


class MlbPerformanceCoefficients(TypedDict):
    home_edge: float
    #: Log-odds per unit of logit home_pyth − logit away_pyth.
    pythagorean: float
    #: Log-odds per earned run of away_starter_era − home_starter_era.
    starter_era: float


class MlbBacktestInput(TypedDict):
    name: str
    sha256: str


class CryptoSpot(TypedDict):
    asset: Literal["BTC", "ETH"]
    #: US dollars.
    spot: float
    realized_vol: CryptoRealizedVol
    tape: CryptoTape


class CryptoRealizedVol(TypedDict):
    #: One-hour log-return sigma from the last 120 one-minute closes.
    sigma_1h: float
    #: spot · sigma_1h.
    expected_move_1h_usd: float
    annualized_est: float
    #: The closes used.
    window: str


class CryptoTape(TypedDict):
    source: str
    #: Seconds.
    last_candle_age_s: float
    #: The last candle is older than 120 s.
    stale: bool


class CryptoSignal(TypedDict):
    asset: Literal["BTC", "ETH"]
    #: US dollars.
    spot: float
    horizon_minutes: float
    #: Half-width of the central 68.27 % of the log return at the horizon.
    sigma_ln: float
    #: Degrees of freedom of the log return's Student t distribution; omitted if it is normal.
    nu: NotRequired[float]
    #: Median of the log return; omitted if it is 0.
    location_ln: NotRequired[float]
    #: spot · sigma_ln.
    expected_move_1sd_usd: float
    #: sigma_ln scaled from the horizon to a year.
    annualized_vol_est: float
    #: In rising order of strikes.
    p_above: list[CryptoStrike]
    #: The model's price source, and the venue's settlement source.
    market_note: str
    model_version: NotRequired[str]
    realized_vol: NotRequired[CryptoSignalRealizedVol]
    tape: NotRequired[CryptoSignalTape]
    settlement_basis: NotRequired[CryptoSignalSettlementBasis]
    quality_flags: NotRequired[list[str]]


class CryptoStrike(TypedDict):
    #: US dollars.
    strike: float
    #: Probability that spot is above the strike at the horizon.
    p_above: float


class CryptoSignalRealizedVol(TypedDict):
    #: One-hour log-return sigma from the last 120 one-minute closes.
    sigma_1h: float
    #: spot · sigma_1h.
    expected_move_1h_usd: float
    annualized_est: float
    #: The closes used.
    window: str


class CryptoSignalTape(TypedDict):
    source: str
    #: Seconds.
    last_candle_age_s: float
    #: The last candle is older than 120 s.
    stale: bool


class CryptoSignalSettlementBasis(TypedDict):
    model_source: str
    venue_source: str
    same: bool
    #: How many of the compared values are equal in both sources, such as `312 of 314`; omitted if none was compared.
    agreement: NotRequired[str]


class CryptoPerformance(TypedDict):
    #: When distributions were last scored.
    as_of: str
    data_freshness: Literal["mock", "shadow", "live"]
    #: Versions of the models that issued the distributions.
    model_versions: list[str]
    #: All instruments together first, then one after the other.
    rows: list[CryptoPerformanceRow]


class CryptoPerformanceRow(TypedDict):
    horizon_minutes: float
    #: Omitted for all assets together.
    asset: NotRequired[Literal["BTC", "ETH"]]
    #: Scored distributions of the last 365 days.
    n: float
    #: Mean continuous ranked probability score, log return; lower is better. For a forecast without spread it is the absolute error.
    crps: float
    #: By a bootstrap over clusters; omitted with fewer than ten.
    crps_interval: NotRequired[CryptoPerformanceRowCrpsInterval]
    #: Shares of 10 equal bins of the probability integral transform, 0 to 1: all near 0.1 if the distributions are right, U-shaped if they are too narrow.
    pit: list[float]
    #: Share of outcomes in the central half of their distributions: near 0.5 if these are right.
    coverage_50: float
    coverage_80: float
    coverage_90: float


class CryptoPerformanceRowCrpsInterval(TypedDict):
    low: float
    high: float
    level: float


class MarketsEdge(TypedDict):
    count: float
    #: Rows with a difference of 0.05 or more.
    actionable_count: float
    #: `min_edge`.
    min_edge_threshold: float
    #: How often the two settlement sources have differed, by domain of the open contracts. `compared` is 0 if no contract has both results, and until the scoreboard is computed.
    source_disagreement: list[MarketsSourceDisagreement]
    edges: list[MarketsEdgeRow]


class MarketsSourceDisagreement(TypedDict):
    domain: Literal["weather", "nfl", "mlb", "crypto"]
    #: Settled contracts with a result from the venue and one from the model's own source.
    compared: float
    #: How many of them have two different results.
    disagreed: float


class MarketsEdgeRow(TypedDict):
    venue: str
    #: The venue's ticker.
    market: str
    title: str
    #: A station, a game or an asset.
    instrument: str
    #: Ids of the signal's subject: station and day; game_id; game_pk; asset and horizon_minutes.
    subject: NotRequired[dict[str, str | float]]
    #: Path of the call for this contract's signal; omitted if the contract closes too soon for one.
    signal_url: NotRequired[str]
    model_prob: float
    #: Midpoint of yes bid and yes ask.
    market_prob: float
    #: model_prob − market_prob.
    edge: float
    #: `no` for a negative edge.
    side: Literal["yes", "no"]
    #: The venue's fee at the ask of `side`, dollars, before a trade's fee is rounded (Kalshi: up to 0.0001 USD).
    fee_per_contract: NotRequired[float]
    #: Gain expected by the model alone: its probability of `side` − ask − fee, dollars per contract. Omitted if the fee is unknown.
    edge_after_fee: NotRequired[float]
    #: Of yes, by model and market together; the market's price if `pool_weight` is 0.
    pooled_prob: float
    #: Weight of the model against the market price, in log-odds, 0 to 1; earned by the domain's settled record.
    pool_weight: float
    #: Pooled probability of `side` − ask − fee, dollars per contract. Omitted if the fee is unknown.
    expected_gain: NotRequired[float]
    #: |`edge`| ≥ 0.05, regardless of `min_edge`, fee, age of the quote and flags.
    actionable: bool
    #: Contracts at the ask of `side`.
    ask_size: NotRequired[float]
    #: Yes ask − yes bid, dollars per contract.
    spread: float
    #: Contracts traded so far.
    volume: NotRequired[float]
    #: Contracts outstanding.
    open_interest: NotRequired[float]
    #: Yes ask, dollars per contract.
    yes_ask: NotRequired[float]
    close_time: str
    model_version: str
    #: Yes bid, dollars per contract.
    yes_bid: NotRequired[float]
    #: No ask, dollars per contract.
    no_ask: NotRequired[float]
    #: When the venue's quote was read.
    quoted_at: NotRequired[str]
    #: In the slim shape only if `same` is false: the venue settles on another source.
    settlement_basis: NotRequired[MarketsEdgeRowSettlementBasis]
    #: Open vocabulary, such as `divergence_implausible`.
    quality_flags: NotRequired[list[str]]


class MarketsEdgeRowSettlementBasis(TypedDict):
    model_source: str
    venue_source: str
    same: bool
    #: How many of the compared values are equal in both sources, such as `312 of 314`; omitted if none was compared.
    agreement: NotRequired[str]


class MarketsSettled(TypedDict):
    domain: Literal["weather", "nfl", "mlb", "crypto"]
    #: Rows on this page.
    count: float
    #: Latest close first, then by ticker.
    rows: list[MarketsSettledRow]
    #: `before` of the next page; omitted on the last one.
    next_before: NotRequired[str]
    #: `cursor` of the next page; omitted on the last one.
    next_cursor: NotRequired[str]
    #: The rule for choosing and scoring the row of a market; the scoreboard uses it too.
    methodology: str
    #: Number of markets that are not scored.
    excluded: NotRequired[MarketsSettledExcluded]


class MarketsSettledRow(TypedDict):
    domain: Literal["weather", "nfl", "mlb", "crypto"]
    venue: str
    series: str
    market_ticker: str
    title: str
    #: A station, a game or an asset.
    instrument: str
    #: The venue's term, such as `between`, `greater`, `less`.
    strike_type: NotRequired[str]
    floor_strike: NotRequired[float]
    cap_strike: NotRequired[float]
    #: Yes bid, dollars per contract.
    yes_bid: float
    #: Yes ask, dollars per contract.
    yes_ask: float
    #: No ask, dollars per contract.
    no_ask: float
    #: Midpoint of yes bid and yes ask.
    market_prob: float
    model_prob: float
    #: Model and market combined with `pool_weight`.
    pooled_prob: float
    #: The model's weight in `pooled_prob`, as published when captured.
    pool_weight: float
    model_version: str
    close_time: str
    #: The last capture before close.
    captured_at: str
    #: The venue's own result.
    result: Literal["yes", "no"]
    #: The outcome according to the model's own source.
    source_result: NotRequired[Literal["yes", "no"]]
    #: A value of the model's own source that an operator voided after the contract settled, and why; `source_result` ignores it.
    source_voided: NotRequired[str]
    settlement_basis: NotRequired[MarketsSettledRowSettlementBasis]
    #: Open vocabulary, such as `divergence_implausible`.
    quality_flags: NotRequired[list[str]]
    #: The venue's event. Contracts of one event are not independent.
    event: NotRequired[str]
    #: Domain and first day of the week (weather, football) or day (baseball, crypto). Intervals resample whole clusters.
    cluster: NotRequired[str]
    #: When the venue's result was read.
    settled_at: NotRequired[str]
    #: The venue's fee per contract: fee_rate · p · (1 − p); omitted where unknown.
    fee_rate: NotRequired[float]
    #: Leaf id of the capture on the record, for an inclusion proof.
    capture_id: NotRequired[str]
    #: True if a checkpoint signed before the close covers the capture.
    anchored: NotRequired[bool]
    #: The venue's earlier results, oldest first.
    earlier_results: NotRequired[list[MarketsSettledRowEarlierResults]]


class MarketsSettledRowSettlementBasis(TypedDict):
    model_source: str
    venue_source: str
    same: bool
    #: How many of the compared values are equal in both sources, such as `312 of 314`; omitted if none was compared.
    agreement: NotRequired[str]


class MarketsSettledRowEarlierResults(TypedDict):
    result: Literal["yes", "no", "void"]
    settled_at: str


class MarketsSettledExcluded(TypedDict):
    #: Markets that the venue voided.
    void: float
    #: Markets without two live sides at the capture.
    no_quote: float


class MarketsHistory(TypedDict):
    #: The contracts of this page's rows.
    contracts: list[MarketsHistoryContract]
    #: Rows on this page.
    count: float
    #: By ticker, then by time.
    points: list[MarketsHistoryPoint]


class MarketsHistoryContract(TypedDict):
    venue: str
    #: The venue's ticker.
    market: str
    title: str
    #: A station, a game or an asset.
    instrument: str
    #: The venue's term, such as `between`, `greater`, `less`.
    strike_type: NotRequired[str]
    floor_strike: NotRequired[float]
    cap_strike: NotRequired[float]
    #: As announced.
    close_time: str
    status: Literal["open", "closed", "settled"]
    result: NotRequired[Literal["yes", "no", "void"]]
    #: When the venue's result was read.
    settled_at: NotRequired[str]
    settlement_basis: NotRequired[MarketsHistoryContractSettlementBasis]
    #: The venue's fee per contract: fee_rate · p · (1 − p); omitted where unknown.
    fee_rate: NotRequired[float]


class MarketsHistoryContractSettlementBasis(TypedDict):
    model_source: str
    venue_source: str
    same: bool
    #: How many of the compared values are equal in both sources, such as `312 of 314`; omitted if none was compared.
    agreement: NotRequired[str]


class MarketsHistoryPoint(TypedDict):
    #: The venue's ticker.
    market: str
    #: When model and book were captured together.
    captured_at: str
    model_prob: float
    #: Midpoint of yes bid and yes ask; omitted without both sides.
    market_prob: NotRequired[float]
    #: Model and market combined with `pool_weight`.
    pooled_prob: NotRequired[float]
    #: The model's weight in `pooled_prob`, as published when captured.
    pool_weight: float
    #: Yes bid, dollars per contract.
    yes_bid: NotRequired[float]
    #: Yes ask, dollars per contract.
    yes_ask: NotRequired[float]
    #: No ask, dollars per contract.
    no_ask: NotRequired[float]
    #: Contracts at the yes ask.
    yes_ask_size: NotRequired[float]
    #: Contracts at the no ask.
    no_ask_size: NotRequired[float]
    #: Contracts traded so far.
    volume: NotRequired[float]
    #: Contracts outstanding.
    open_interest: NotRequired[float]
    model_version: str
    #: Open vocabulary, such as `divergence_implausible`.
    quality_flags: NotRequired[list[str]]
    #: Leaf id of the capture on the record.
    capture_id: NotRequired[str]


class MarketsPerformance(TypedDict):
    as_of: str
    overall: MarketsScore
    contested: MarketsScore
    domains: MarketsPerformanceDomains
    #: One flat 1 USD trade per market with an edge, at the captured ask with fees. No order is placed.
    hypothetical: MarketsPerformanceHypothetical
    live: MarketsPerformanceLive
    #: All markets, scored on the venue's result and on the model's own source.
    by_settlement: NotRequired[MarketsPerformanceBySettlement]
    #: By time from capture to close, longest first; an exact bound, such as 6 h, belongs to the longer lead.
    by_lead: NotRequired[list[MarketsPerformanceByLead]]
    #: By |model_prob − market_prob|; a bound belongs to the part above it. Parts without a market are omitted.
    by_edge: NotRequired[list[MarketsPart]]
    #: By calendar month of the capture in UTC, all years together. Parts without a market are omitted.
    by_month: NotRequired[list[MarketsPart]]
    #: By the UTC hour of the close. Parts without a market are omitted.
    by_hour: NotRequired[list[MarketsPart]]
    by_version: NotRequired[list[MarketsPerformanceByVersion]]
    #: The models' weights beside market prices, applied to log-odds in `pooled_prob` and `_market_anchored`. Published once a UTC day, fitted on the rows settled before it; 0 until the first publication.
    pool_weights: NotRequired[MarketsPerformancePoolWeights]
    #: Scored markets whose capture no checkpoint signed before the close covers.
    unanchored: NotRequired[float]
    #: Markets whose result the venue changed.
    corrected: NotRequired[float]
    #: Number of markets that are not scored.
    excluded: NotRequired[MarketsPerformanceExcluded]


class MarketsScore(TypedDict):
    markets_scored: float
    #: Lower is better; omitted when nothing is scored.
    brier_model: NotRequired[float]
    #: Lower is better; omitted when nothing is scored.
    brier_market: NotRequired[float]
    #: Lower is better; omitted when nothing is scored.
    brier_pool: NotRequired[float]
    #: brier_model < brier_market, strictly.
    model_beats_market: bool
    brier_difference: NotRequired[MarketsScoreBrierDifference]
    pool_difference: NotRequired[MarketsScorePoolDifference]
    model: NotRequired[MarketsScoreModel]
    market: NotRequired[MarketsScoreMarket]
    pool: NotRequired[MarketsScorePool]


class MarketsScoreBrierDifference(TypedDict):
    #: brier_model − brier_market; negative: the model is ahead.
    estimate: float
    low: float
    high: float
    #: Coverage of low to high.
    level: float


class MarketsScorePoolDifference(TypedDict):
    #: brier_pool − brier_market; negative: the pool of model and price is ahead of the price alone.
    estimate: float
    low: float
    high: float
    #: Coverage of low to high.
    level: float


class MarketsScoreModel(TypedDict):
    #: Lower is better.
    brier: float
    #: By bootstrap over weeks (weather, football) or days (baseball, crypto); omitted with fewer than ten of them.
    brier_interval: NotRequired[MarketsInterval]
    #: Mean −ln of the probability of the outcome, clipped at 0.001. Lower is better.
    log_score: float
    #: Σ |mean probability − frequency| · count / all over the bins.
    calibration_error: float
    #: brier = reliability − resolution + uncertainty + within_bin_variance − 2 · within_bin_covariance (Murphy 1973).
    decomposition: MarketsDecomposition
    #: The reliability diagram. Empty bins have only a count.
    bins: list[MarketsReliabilityBin]


class MarketsInterval(TypedDict):
    low: float
    high: float
    level: float


class MarketsDecomposition(TypedDict):
    #: 0 is best.
    reliability: float
    #: More is better.
    resolution: float
    #: Variance of the outcomes.
    uncertainty: float
    within_bin_variance: float
    within_bin_covariance: float


MarketsReliabilityBin = TypedDict("MarketsReliabilityBin", {
    "from": "float",
    #: Exclusive, except for 1.
    "to": "float",
    "count": "float",
    "mean_probability": "NotRequired[float]",
    #: Share of yes results.
    "frequency": "NotRequired[float]",
    #: Lower end of the frequency's 95 % Wilson interval.
    "low": "NotRequired[float]",
    #: Upper end.
    "high": "NotRequired[float]",
})


class MarketsScoreMarket(TypedDict):
    #: Lower is better.
    brier: float
    #: By bootstrap over weeks (weather, football) or days (baseball, crypto); omitted with fewer than ten of them.
    brier_interval: NotRequired[MarketsInterval]
    #: Mean −ln of the probability of the outcome, clipped at 0.001. Lower is better.
    log_score: float
    #: Σ |mean probability − frequency| · count / all over the bins.
    calibration_error: float
    #: brier = reliability − resolution + uncertainty + within_bin_variance − 2 · within_bin_covariance (Murphy 1973).
    decomposition: MarketsDecomposition
    #: The reliability diagram. Empty bins have only a count.
    bins: list[MarketsReliabilityBin]


class MarketsScorePool(TypedDict):
    #: Lower is better.
    brier: float
    #: By bootstrap over weeks (weather, football) or days (baseball, crypto); omitted with fewer than ten of them.
    brier_interval: NotRequired[MarketsInterval]
    #: Mean −ln of the probability of the outcome, clipped at 0.001. Lower is better.
    log_score: float
    #: Σ |mean probability − frequency| · count / all over the bins.
    calibration_error: float
    #: brier = reliability − resolution + uncertainty + within_bin_variance − 2 · within_bin_covariance (Murphy 1973).
    decomposition: MarketsDecomposition
    #: The reliability diagram. Empty bins have only a count.
    bins: list[MarketsReliabilityBin]


class MarketsPerformanceDomains(TypedDict):
    weather: MarketsDomainScore
    nfl: MarketsDomainScore
    mlb: MarketsDomainScore
    crypto: MarketsDomainScore


class MarketsDomainScore(TypedDict):
    markets_scored: float
    #: Lower is better; omitted when nothing is scored.
    brier_model: NotRequired[float]
    #: Lower is better; omitted when nothing is scored.
    brier_market: NotRequired[float]
    #: Lower is better; omitted when nothing is scored.
    brier_pool: NotRequired[float]
    brier_difference: NotRequired[MarketsDomainScoreBrierDifference]
    pool_difference: NotRequired[MarketsDomainScorePoolDifference]


class MarketsDomainScoreBrierDifference(TypedDict):
    #: brier_model − brier_market; negative: the model is ahead.
    estimate: float
    low: float
    high: float
    #: Coverage of low to high.
    level: float


class MarketsDomainScorePoolDifference(TypedDict):
    #: brier_pool − brier_market; negative: the pool of model and price is ahead of the price alone.
    estimate: float
    low: float
    high: float
    #: Coverage of low to high.
    level: float


class MarketsPerformanceHypothetical(TypedDict):
    trades: float
    wins: float
    losses: float
    #: US dollars.
    pnl_after_fees: float
    #: Per dollar staked; omitted without a trade.
    roi_after_fees: NotRequired[float]
    #: US dollars.
    staked: NotRequired[float]
    #: US dollars.
    fees: NotRequired[float]
    #: Trades excluded because the venue's fee is unknown.
    unknown_fee: NotRequired[float]
    #: Running totals at the end of each UTC day on which a traded contract closed.
    curve: NotRequired[list[MarketsPerformanceHypotheticalCurve]]
    #: The same for trades by the pool: wherever its expected gain is above 0.
    pool: MarketsPoolTrades


class MarketsPerformanceHypotheticalCurve(TypedDict):
    day: str
    trades: float
    #: US dollars.
    pnl_after_fees: float


class MarketsPoolTrades(TypedDict):
    trades: float
    wins: float
    losses: float
    #: US dollars.
    pnl_after_fees: float
    #: Per dollar staked; omitted without a trade.
    roi_after_fees: NotRequired[float]
    #: US dollars.
    staked: NotRequired[float]
    #: US dollars.
    fees: NotRequired[float]
    #: Trades excluded because the venue's fee is unknown.
    unknown_fee: NotRequired[float]
    #: Running totals at the end of each UTC day on which a traded contract closed.
    curve: NotRequired[list[MarketsPoolTradesCurve]]


class MarketsPoolTradesCurve(TypedDict):
    day: str
    trades: float
    #: US dollars.
    pnl_after_fees: float


class MarketsPerformanceLive(TypedDict):
    open_tracked: float
    awaiting_settlement: float


class MarketsPerformanceBySettlement(TypedDict):
    venue_source: MarketsDomainScore
    model_source: MarketsDomainScore
    #: Markets with both outcomes.
    compared: float
    #: Markets whose two outcomes differ.
    disagreed: float
    #: disagreed / compared.
    disagreement_rate: NotRequired[float]


class MarketsPerformanceByLead(TypedDict):
    lead: Literal["over_24h", "6_to_24h", "1_to_6h", "under_1h"]
    markets_scored: float
    #: Lower is better; omitted when nothing is scored.
    brier_model: NotRequired[float]
    #: Lower is better; omitted when nothing is scored.
    brier_market: NotRequired[float]
    #: Lower is better; omitted when nothing is scored.
    brier_pool: NotRequired[float]
    #: Number of weeks (weather, football) or days (baseball, crypto).
    clusters: float
    brier_difference: NotRequired[MarketsPerformanceByLeadBrierDifference]
    pool_difference: NotRequired[MarketsPerformanceByLeadPoolDifference]
    #: By bootstrap over weeks (weather, football) or days (baseball, crypto); omitted with fewer than ten of them.
    model_interval: NotRequired[MarketsInterval]
    #: By bootstrap over weeks (weather, football) or days (baseball, crypto); omitted with fewer than ten of them.
    market_interval: NotRequired[MarketsInterval]
    #: By bootstrap over weeks (weather, football) or days (baseball, crypto); omitted with fewer than ten of them.
    pool_interval: NotRequired[MarketsInterval]


class MarketsPerformanceByLeadBrierDifference(TypedDict):
    #: brier_model − brier_market; negative: the model is ahead.
    estimate: float
    low: float
    high: float
    #: Coverage of low to high.
    level: float


class MarketsPerformanceByLeadPoolDifference(TypedDict):
    #: brier_pool − brier_market; negative: the pool of model and price is ahead of the price alone.
    estimate: float
    low: float
    high: float
    #: Coverage of low to high.
    level: float


class MarketsPart(TypedDict):
    #: Its name, such as `0.05 to 0.1`.
    part: str
    markets_scored: float
    #: Lower is better; omitted when nothing is scored.
    brier_model: NotRequired[float]
    #: Lower is better; omitted when nothing is scored.
    brier_market: NotRequired[float]
    #: Lower is better; omitted when nothing is scored.
    brier_pool: NotRequired[float]
    #: Number of weeks (weather, football) or days (baseball, crypto).
    clusters: float
    brier_difference: NotRequired[MarketsPartBrierDifference]
    pool_difference: NotRequired[MarketsPartPoolDifference]
    #: By bootstrap over weeks (weather, football) or days (baseball, crypto); omitted with fewer than ten of them.
    model_interval: NotRequired[MarketsInterval]
    #: By bootstrap over weeks (weather, football) or days (baseball, crypto); omitted with fewer than ten of them.
    market_interval: NotRequired[MarketsInterval]
    #: By bootstrap over weeks (weather, football) or days (baseball, crypto); omitted with fewer than ten of them.
    pool_interval: NotRequired[MarketsInterval]


class MarketsPartBrierDifference(TypedDict):
    #: brier_model − brier_market; negative: the model is ahead.
    estimate: float
    low: float
    high: float
    #: Coverage of low to high.
    level: float


class MarketsPartPoolDifference(TypedDict):
    #: brier_pool − brier_market; negative: the pool of model and price is ahead of the price alone.
    estimate: float
    low: float
    high: float
    #: Coverage of low to high.
    level: float


class MarketsPerformanceByVersion(TypedDict):
    domain: Literal["weather", "nfl", "mlb", "crypto"]
    model_version: str
    markets_scored: float
    #: Lower is better; omitted when nothing is scored.
    brier_model: NotRequired[float]
    #: Lower is better; omitted when nothing is scored.
    brier_market: NotRequired[float]
    #: Lower is better; omitted when nothing is scored.
    brier_pool: NotRequired[float]


class MarketsPerformancePoolWeights(TypedDict):
    weather: MarketsPoolWeight
    nfl: MarketsPoolWeight
    mlb: MarketsPoolWeight
    crypto: MarketsPoolWeight


class MarketsPoolWeight(TypedDict):
    #: The weight in use: `fitted` if `improvement.low` is above 0, else 0.
    weight: float
    #: Maximum-likelihood weight, 0 to 1; omitted with under 100 rows.
    fitted: NotRequired[float]
    improvement: NotRequired[MarketsPoolWeightImprovement]
    #: Scored rows, each with a weight fitted on the rows that had settled before its day.
    rows: float


class MarketsPoolWeightImprovement(TypedDict):
    #: Log score of the market minus the pool's, nats, on rows that no fit had seen.
    estimate: float
    low: float
    high: float
    #: Coverage of low to high.
    level: float


class MarketsPerformanceExcluded(TypedDict):
    #: Markets that the venue voided.
    void: float
    #: Markets without two live sides at the capture.
    no_quote: float


class BenchContracts(TypedDict):
    domain: Literal["weather", "nfl", "mlb", "crypto"]
    count: float
    #: Earliest close first.
    contracts: list[BenchContract]


class BenchContract(TypedDict):
    #: The venue's ticker.
    market: str
    venue: str
    title: str
    #: The announced end of trading.
    close_time: str


class BenchModels(TypedDict):
    #: When the last contract settled.
    as_of: str
    count: float
    #: Most shared rows first, then by name; withdrawn models included.
    models: list[BenchModel]
    #: The rule by which an opinion is scored.
    methodology: str


class BenchModel(TypedDict):
    #: The model's name.
    model: str
    status: Literal["active", "withdrawn"]
    #: Time of its first opinion.
    since: str
    withdrawn_at: NotRequired[str]
    #: Models that its account has ever entered, this one included.
    account_models_entered: float
    #: How many of them the account withdrew.
    account_models_withdrawn: float
    #: Settled contracts on which this model and ours are scored.
    shared_rows: float
    #: Settled contracts on which each of its opinions is newer than the capture or not anchored before the close.
    unscored_rows: float
    #: Mean time from its scored opinions to the close; omitted without a shared row.
    lead_seconds: NotRequired[float]
    #: Mean time from the captures of model and market on these rows to the close.
    capture_lead_seconds: NotRequired[float]
    #: The challenger's score. Lower is better; omitted without a shared row.
    brier: NotRequired[float]
    #: Our models' score on the same rows. Lower is better; omitted without a shared row.
    brier_model: NotRequired[float]
    #: The market's score on the same rows. Lower is better; omitted without a shared row.
    brier_market: NotRequired[float]
    #: Difference of the Brier scores on the shared rows; omitted while all belong to one event.
    difference_to_model: NotRequired[BenchDifferenceModel]
    #: Difference of the Brier scores on the shared rows; omitted while all belong to one event.
    difference_to_market: NotRequired[BenchDifferenceMarket]


class BenchDifferenceModel(TypedDict):
    #: Negative: the challenger is ahead.
    estimate: float
    low: float
    high: float
    #: Coverage of low to high.
    level: float


class BenchDifferenceMarket(TypedDict):
    #: Negative: the challenger is ahead.
    estimate: float
    low: float
    high: float
    #: Coverage of low to high.
    level: float


class BenchOpinions(TypedDict):
    #: An open contract of `/v1/bench/contracts`.
    market: str
    #: The venue, needed if two list the same ticker.
    venue: NotRequired[str]
    #: Probability of yes, kept in whole millionths.
    prob: float


class BenchWithdraw(TypedDict):
    #: The model's name.
    model: str
    #: False if nothing was recorded: with a test key, or where the lane is not live.
    recorded: bool
    #: Why nothing was recorded, and the next step; omitted otherwise.
    reason: NotRequired[str]
    status: Literal["withdrawn"]
    withdrawn_at: NotRequired[str]


class SecFiling(TypedDict):
    filing: SecFilingFiling
    sections: list[SecSection]
    #: Omitted with `diff=false`.
    diff: NotRequired[SecFilingDiff]


class SecFilingFiling(TypedDict):
    accession_number: str
    cik: str
    #: Fictitious while in development.
    company: str
    form_type: str
    filed_at: str
    period_of_report: str
    source_url: str


class SecSection(TypedDict):
    #: Item of the form, such as `1A`.
    item: str
    title: str
    summary: str
    key_points: list[str]
    word_count: float


class SecFilingDiff(TypedDict):
    prior_accession_number: str
    prior_filed_at: str
    #: Items missing in the prior filing.
    added: list[str]
    #: Items only in the prior filing.
    removed: list[str]
    changed: list[SecChange]


class SecChange(TypedDict):
    item: str
    #: The change in one sentence.
    change: str
    before: str
    after: str
    #: `low`, `medium` or `high`.
    significance: str


class Key(TypedDict):
    key_id: str
    #: `live` or `test`.
    environment: str
    #: The lanes that it may call, and `manage` if it may keep alerts and webhooks.
    scopes: NotRequired[list[str]]
    rate_limit: KeyRateLimit
    #: The UTC month, YYYY-MM.
    month: str
    #: Micro-dollars. Charged to this key in the month.
    month_spent_micros: float
    agent: NotRequired[KeyAgent]
    #: Omitted for keys of an agent.
    wallet: NotRequired[KeyWallet]


class KeyRateLimit(TypedDict):
    per_minute: float
    remaining: float
    #: Until the bucket is full.
    reset_seconds: float


class KeyAgent(TypedDict):
    id: str
    name: str
    #: Micro-dollars. Per UTC month.
    monthly_cap_micros: NotRequired[float]
    #: Micro-dollars. Lifetime cap.
    budget_cap_micros: NotRequired[float]
    #: Micro-dollars. By all keys of the agent in the month, at list price.
    month_spent_micros: float
    #: Micro-dollars. By all keys of the agent, at list price.
    total_spent_micros: float
    #: Start of the next UTC month.
    resets_at: str


class KeyWallet(TypedDict):
    #: Micro-dollars. Of the account.
    balance_micros: float


class Wallet(TypedDict):
    #: Micro-dollars. Omitted for keys of an agent.
    balance_micros: NotRequired[float]
    #: The UTC month, YYYY-MM.
    month: str
    #: Micro-dollars. By all keys of the account in the month. Omitted for keys of an agent.
    month_spent_micros: NotRequired[float]
    #: Orders that are not paid yet. Omitted for keys of an agent.
    open_orders: NotRequired[list[WalletOpenOrders]]
    ways_to_pay: list[WayToPay]


class WalletOpenOrders(TypedDict):
    #: The order's id; once it is paid, its credit in the journal has the same id.
    id: str
    provider: str
    #: Micro-dollars. To be paid and credited.
    amount_micros: float
    #: Where to pay.
    pay_url: NotRequired[str]
    #: Until when it can be paid.
    expires_at: NotRequired[str]


class WayToPay(TypedDict):
    #: `operator`, `x402`, or a way on a page, such as `card`.
    way: str
    #: The page to pay on.
    url: NotRequired[str]
    accepts: NotRequired[list[Accept]]
    #: One sentence.
    how: str


class Accept(TypedDict):
    scheme: Literal["exact"]
    #: CAIP-2 id of the chain, such as `eip155:8453`.
    network: str
    #: Whole units of the token, decimal.
    amount: str
    #: Address of the token's contract.
    asset: str
    #: Address that is paid.
    payTo: str
    #: For which a signed payment must be valid at most.
    maxTimeoutSeconds: float
    #: Name and version of the token, which are part of the signature.
    extra: dict[str, str]


class PlanEstimate(TypedDict):
    #: An endpoint's id or path.
    endpoint: str
    #: Its parameters, as JSON.
    params: NotRequired[dict[str, Any]]


class Find(TypedDict):
    query: str
    count: float
    #: Best first.
    hits: list[FindHit]
    #: What to do if nothing is found.
    hint: NotRequired[str]
    #: Names with a similar spelling.
    nearest: NotRequired[list[str]]


class FindHit(TypedDict):
    kind: Literal["station", "team", "game", "league", "asset", "contract", "endpoint", "guide"]
    name: str
    #: Ids as the calls' parameters take them.
    ids: dict[str, str | float]
    #: The day that the question names, in the time zone of the place or league.
    day: NotRequired[str]
    #: A call that can be made as it is.
    call: ReadyCall


class ReadyCall(TypedDict):
    method: Literal["GET", "POST", "DELETE"]
    #: With its parameters; a POST has them in its body, as in `arguments`.
    path: str
    #: The same call as a tool, with `arguments`.
    tool: NotRequired[str]
    arguments: dict[str, Any]
    price: Price
    #: Micro-dollars. The charge to this key.
    charged_micros: float


class Price(TypedDict):
    display: str
    micros: float


class Alert(TypedDict):
    id: str
    account: str
    agent: NotRequired[str]
    name: NotRequired[str]
    call: str
    threshold: NotRequired[float]
    hysteresis: NotRequired[float]
    status: Literal["active", "paused"]
    #: The error of the firing that paused it.
    reason: NotRequired[str]
    crossings: float
    fired_at: NotRequired[str]
    created_at: str
    #: The key that its firings are charged to.
    key: str


class Deleted(TypedDict):
    id: str
    deleted: Literal[True]


class AlertList(TypedDict):
    alerts: list[Alert]


class NewSecret(TypedDict):
    id: str
    account: str
    url: str
    events: list[Literal["agent.budget_warning", "agent.budget_exceeded", "wallet.low", "alert.fired", "webhook.failing"]]
    status: Literal["active", "paused", "disabled"]
    created_at: str
    previous_secret_until: NotRequired[str]
    secret: str
    warning: NotRequired[str]


class WebhookList(TypedDict):
    webhooks: list[Webhook]


class Webhook(TypedDict):
    id: str
    account: str
    url: str
    events: list[Literal["agent.budget_warning", "agent.budget_exceeded", "wallet.low", "alert.fired", "webhook.failing"]]
    status: Literal["active", "paused", "disabled"]
    created_at: str
    previous_secret_until: NotRequired[str]


class ProofCheckpoint(TypedDict):
    #: The log's name.
    origin: str
    #: Leaves.
    size: float
    #: Root of the Merkle tree (RFC 6962), SHA-256 in hex.
    root: str
    #: Time of the timestamped signature.
    signed_at: str
    #: Verifier key of the signer, Ed25519: name, key id and base64 key (c2sp.org/signed-note).
    key: str
    #: The signed note (c2sp.org/tlog-checkpoint).
    note: str


class ProofInclusion(TypedDict):
    leaf: ProofInclusionLeaf
    #: Leaves of the tree.
    size: float
    #: Its root, SHA-256 in hex.
    root: str
    #: Hashes, lowest first, SHA-256 in hex.
    proof: list[str]


class ProofInclusionLeaf(TypedDict):
    #: From 0.
    position: float
    id: str
    #: SHA-256(0x00 || leaf), SHA-256 in hex.
    hash: str
    #: The exact text of the leaf, canonical JSON (RFC 8785). Omitted while sealed, except for a live key of the account that bought the signal or wrote the opinion, if its scopes include the leaf's lane; an agent's key reads what that agent bought or wrote.
    text: NotRequired[str]
    #: When the text becomes public; omitted after that.
    sealed_until: NotRequired[str]


ProofConsistency = TypedDict("ProofConsistency", {
    "from": "float",
    #: Root of the smaller tree, SHA-256 in hex.
    "from_root": "str",
    "to": "float",
    #: Root of the larger tree, SHA-256 in hex.
    "to_root": "str",
    #: Hashes, lowest first, SHA-256 in hex.
    "proof": "list[str]",
})


class Methods:
    def _call(self, endpoint: Endpoint, params: dict[str, Any], idempotency_key: str | None) -> Any:
        raise NotImplementedError

    def weather_stations(self, *, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[WeatherStations]:
        """Stations covered, with report product and venue series. The station id of a city, for the other weather tools. Free.

        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return self._call(endpoints["weather_stations"], {"fields": fields, "verbose": verbose, "include": include}, idempotency_key)

    def weather_settlement(self, *, station: Literal["KNYC", "KMDW", "KMIA", "KAUS", "KLAX", "KDEN", "KPHL", "KBOS", "KHOU"], day: str | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[WeatherSettlement]:
        """Official daily climate report of a station, verbatim. How hot, cold or wet a day was; coming days: `weather_signal`. Stations: `weather_stations`. 0.001 USD.

        :param station: Registry station id, as listed by `/v1/weather/stations`.
        :param day: Climate day; omitted: the latest official (final) report.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return self._call(endpoints["weather_settlement"], {"station": station, "day": day, "fields": fields, "verbose": verbose, "include": include}, idempotency_key)

    def weather_settlement_history(self, *, station: Literal["KNYC", "KMDW", "KMIA", "KAUS", "KLAX", "KDEN", "KPHL", "KBOS", "KHOU"], start: str, end: str, cursor: str | None = None, limit: float | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[WeatherSettlementHistory]:
        """A station's official daily climate reports, up to 400 days per call. Many past days at once; a single day: `weather_settlement`. 0.005 USD.

        :param station: Registry station id, as listed by `/v1/weather/stations`.
        :param start: First climate day.
        :param end: Last climate day, included; at most 400 days per call.
        :param cursor: Opaque: `_meta.next_cursor` of the previous page.
        :param limit: Rows on this page (default: all).
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return self._call(endpoints["weather_settlement_history"], {"station": station, "start": start, "end": end, "cursor": cursor, "limit": limit, "fields": fields, "verbose": verbose, "include": include}, idempotency_key)

    def weather_forecast(self, *, lat: float, lon: float, hours: float | None = None, hourly: bool | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[WeatherForecast]:
        """Point forecast with active alerts and risk flags. Expected temperature, wind, rain and warnings at any US place; probabilities: `weather_signal`. 0.001 USD.

        :param lat: Decimal degrees; a point in the United States.
        :param lon: Decimal degrees; a point in the United States.
        :param hours: Periods that start within this many hours. Default 48.
        :param hourly: Hourly granularity instead of 12-hour periods. Default false.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return self._call(endpoints["weather_forecast"], {"lat": lat, "lon": lon, "hours": hours, "hourly": hourly, "fields": fields, "verbose": verbose, "include": include}, idempotency_key)

    def weather_signal(self, *, station: Literal["KNYC", "KMDW", "KMIA", "KAUS", "KLAX", "KDEN", "KPHL", "KBOS", "KHOU"], target: str | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[WeatherSignal]:
        """Probability distribution of a climate day's official high and low. How likely a temperature (°F) is, today or later; to price a temperature contract. Stations: `weather_stations`. 0.01 USD.

        :param station: Registry station id, as listed by `/v1/weather/stations`.
        :param target: Climate day; default today at the station, up to 6 days ahead.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return self._call(endpoints["weather_signal"], {"station": station, "target": target, "fields": fields, "verbose": verbose, "include": include}, idempotency_key)

    def weather_performance(self, *, fields: list[str] | None = None, verbose: bool | None = None) -> Answer[WeatherPerformance]:
        """Track record of the temperature distributions as issued, misses included. How well `weather_signal` has been calibrated, by lead and station. Free.

        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        """
        return self._call(endpoints["weather_performance"], {"fields": fields, "verbose": verbose}, None)

    def nfl_games(self, *, season: float | None = None, week: float | None = None, team: Literal["ARI", "ATL", "BAL", "BUF", "CAR", "CHI", "CIN", "CLE", "DAL", "DEN", "DET", "GB", "HOU", "IND", "JAX", "KC", "LA", "LAC", "LV", "MIA", "MIN", "NE", "NO", "NYG", "NYJ", "PHI", "PIT", "SEA", "SF", "TB", "TEN", "WAS", "LAR", "JAC", "WSH", "OAK", "SD", "STL"] | None = None, cursor: str | None = None, limit: float | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[NflGames]:
        """Football games with results and consensus lines since 1999. Schedule, scores, bookmakers' spread and total. Gives the `game_id` of `nfl_fair_line`. 0.001 USD.

        :param season: Default current season. From 1999 to the current one.
        :param week: Week of the season: regular season and playoffs.
        :param team: Team code: its games, home and away.
        :param cursor: Opaque: `_meta.next_cursor` of the previous page.
        :param limit: Rows on this page (default: all).
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return self._call(endpoints["nfl_games"], {"season": season, "week": week, "team": team, "cursor": cursor, "limit": limit, "fields": fields, "verbose": verbose, "include": include}, idempotency_key)

    def nfl_qb(self, *, player: str, season: float | None = None, last: float | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[NflQuarterback | NflQuarterbackCandidates]:
        """A quarterback's weekly stats and totals. Passing yards, touchdowns, interceptions of a player by week. 0.002 USD.

        :param player: Name or GSIS id. Part of a name is enough; an exact full name beats partial matches.
        :param season: Only weeks of this season. From 2002 to the current one.
        :param last: The most recent weeks returned. Default 20.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return self._call(endpoints["nfl_qb"], {"player": player, "season": season, "last": last, "fields": fields, "verbose": verbose, "include": include}, idempotency_key)

    def nfl_injuries(self, *, team: Literal["ARI", "ATL", "BAL", "BUF", "CAR", "CHI", "CIN", "CLE", "DAL", "DEN", "DET", "GB", "HOU", "IND", "JAX", "KC", "LA", "LAC", "LV", "MIA", "MIN", "NE", "NO", "NYG", "NYJ", "PHI", "PIT", "SEA", "SF", "TB", "TEN", "WAS", "LAR", "JAC", "WSH", "OAK", "SD", "STL"], season: float | None = None, week: float | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[NflInjuries]:
        """Official injury report and reserve list of a team. Who is hurt, doubtful or out. 0.002 USD.

        :param team: Team code.
        :param season: Default current season, never an earlier one. From 1999 to the current one.
        :param week: Week of the season: regular season and playoffs.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return self._call(endpoints["nfl_injuries"], {"team": team, "season": season, "week": week, "fields": fields, "verbose": verbose, "include": include}, idempotency_key)

    def nfl_top100(self, *, season: float | None = None, cursor: str | None = None, limit: float | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[NflTop100]:
        """Annual Top 100 list as voted by the players. Ranking of the best players of a year. 0.001 USD.

        :param season: Year in which the list was published. Default the latest that is loaded. From 2011 to the current one.
        :param cursor: Opaque: `_meta.next_cursor` of the previous page.
        :param limit: Rows on this page (default: all).
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return self._call(endpoints["nfl_top100"], {"season": season, "cursor": cursor, "limit": limit, "fields": fields, "verbose": verbose, "include": include}, idempotency_key)

    def nfl_fair_line(self, *, game_id: str | None = None, team: Literal["ARI", "ATL", "BAL", "BUF", "CAR", "CHI", "CIN", "CLE", "DAL", "DEN", "DET", "GB", "HOU", "IND", "JAX", "KC", "LA", "LAC", "LV", "MIA", "MIN", "NE", "NO", "NYG", "NYJ", "PHI", "PIT", "SEA", "SF", "TB", "TEN", "WAS", "LAR", "JAC", "WSH", "OAK", "SD", "STL"] | None = None, opponent: Literal["ARI", "ATL", "BAL", "BUF", "CAR", "CHI", "CIN", "CLE", "DAL", "DEN", "DET", "GB", "HOU", "IND", "JAX", "KC", "LA", "LAC", "LV", "MIA", "MIN", "NE", "NO", "NYG", "NYJ", "PHI", "PIT", "SEA", "SF", "TB", "TEN", "WAS", "LAR", "JAC", "WSH", "OAK", "SD", "STL"] | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[NflFairLine]:
        """Model spread, total and win probability of a game, compared with the posted line. Who is favoured, by how many points, against the bookmaker. Ids: `nfl_games`; a team alone is enough. 0.01 USD.

        :param game_id: League-data game id as returned by `/v1/nfl/games`. This or `team` is required.
        :param team: Team code: its next unplayed game. This or `game_id` is required.
        :param opponent: Team code: the next unplayed game of `team` against this opponent.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return self._call(endpoints["nfl_fair_line"], {"game_id": game_id, "team": team, "opponent": opponent, "fields": fields, "verbose": verbose, "include": include}, idempotency_key)

    def nfl_performance(self, *, fields: list[str] | None = None, verbose: bool | None = None) -> Answer[NflPerformance]:
        """Track record of the football fair line, misses included. How accurate `nfl_fair_line` has been. Free.

        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        """
        return self._call(endpoints["nfl_performance"], {"fields": fields, "verbose": verbose}, None)

    def mlb_games(self, *, date: str | None = None, cursor: str | None = None, limit: float | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[MlbGames]:
        """MLB games of a UTC day, with probable starters. Schedule, scores, starting pitchers. Gives the `game_pk` of `mlb_fair_odds`. 0.001 USD.

        :param date: UTC day of the first pitch, from 1876 to the end of next year; default today.
        :param cursor: Opaque: `_meta.next_cursor` of the previous page.
        :param limit: Rows on this page (default: all).
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return self._call(endpoints["mlb_games"], {"date": date, "cursor": cursor, "limit": limit, "fields": fields, "verbose": verbose, "include": include}, idempotency_key)

    def mlb_fair_odds(self, *, game_pk: float, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[MlbFairOdds]:
        """Model win probability of a baseball game with all inputs exposed. Who will win and how likely. Ids: `mlb_games`. 0.01 USD.

        :param game_pk: `gamePk` as listed by `/v1/mlb/games`.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return self._call(endpoints["mlb_fair_odds"], {"game_pk": game_pk, "fields": fields, "verbose": verbose, "include": include}, idempotency_key)

    def mlb_performance(self, *, fields: list[str] | None = None, verbose: bool | None = None) -> Answer[MlbPerformance]:
        """Track record of the baseball fair odds, misses included. How accurate `mlb_fair_odds` has been. Free.

        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        """
        return self._call(endpoints["mlb_performance"], {"fields": fields, "verbose": verbose}, None)

    def crypto_spot(self, *, asset: Literal["BTC", "ETH"] | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[CryptoSpot]:
        """Spot price and realized volatility from a one-minute tape. What bitcoin or ether costs now, USD; later prices: `crypto_signal`. Free.

        :param asset: The traded asset. Default "BTC".
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return self._call(endpoints["crypto_spot"], {"asset": asset, "fields": fields, "verbose": verbose, "include": include}, idempotency_key)

    def crypto_signal(self, *, asset: Literal["BTC", "ETH"] | None = None, horizon_minutes: float | None = None, strikes: list[float] | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[CryptoSignal]:
        """Probability that BTC or ETH is above each strike, 5 minutes to 24 hours ahead. Chance of a later price; to price a strike contract. The price now: `crypto_spot`. 0.01 USD.

        :param asset: The traded asset. Default "BTC".
        :param horizon_minutes: Minutes ahead. Default 60.
        :param strikes: Strikes instead of the default grid of 21 around spot.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return self._call(endpoints["crypto_signal"], {"asset": asset, "horizon_minutes": horizon_minutes, "strikes": strikes, "fields": fields, "verbose": verbose, "include": include}, idempotency_key)

    def crypto_performance(self, *, fields: list[str] | None = None, verbose: bool | None = None) -> Answer[CryptoPerformance]:
        """Track record of the hourly price distributions as issued, misses included. How well `crypto_signal` has been calibrated, by horizon and asset. Free.

        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        """
        return self._call(endpoints["crypto_performance"], {"fields": fields, "verbose": verbose}, None)

    def markets_edge(self, *, domain: Literal["weather", "nfl", "mlb", "crypto"] | None = None, venue: str | None = None, market: str | None = None, min_edge: float | None = None, min_gain: float | None = None, max_spread: float | None = None, side: Literal["yes", "no"] | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[MarketsEdge]:
        """Live contracts on which model and market differ by 0.05 or more, largest first. Where model and price differ, across weather, sports and crypto; whether a trade is worth it: `expected_gain`. 0.01 USD.

        :param domain: One domain.
        :param venue: One venue.
        :param market: One contract, by its ticker.
        :param min_edge: Smallest |`edge`|; rows below 0.05 are not `actionable`. Default 0.05.
        :param min_gain: Smallest `expected_gain`, dollars per contract; rows with an unknown fee are left out.
        :param max_spread: Largest `spread`, dollars.
        :param side: One side.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return self._call(endpoints["markets_edge"], {"domain": domain, "venue": venue, "market": market, "min_edge": min_edge, "min_gain": min_gain, "max_spread": max_spread, "side": side, "fields": fields, "verbose": verbose, "include": include}, idempotency_key)

    def markets_settled(self, *, domain: Literal["weather", "nfl", "mlb", "crypto"] | None = None, limit: float | None = None, before: str | None = None, cursor: str | None = None, fields: list[str] | None = None, verbose: bool | None = None) -> Answer[MarketsSettled]:
        """Settled contracts: model probability, market probability, result. Single past results; totals: `markets_performance`. Free.

        :param domain: Domain of the contracts. Default "crypto".
        :param limit: Rows per page. Rows with the same close time stay together, even if they are more. Default 200.
        :param before: Only rows that closed before this time: `next_before` of the previous page. Pages go backwards in time.
        :param cursor: Opaque: `next_cursor` of the previous page; send the same `domain` and `before`.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        """
        return self._call(endpoints["markets_settled"], {"domain": domain, "limit": limit, "before": before, "cursor": cursor, "fields": fields, "verbose": verbose}, None)

    def markets_history(self, *, market: str | None = None, event: str | None = None, start: str | None = None, end: str | None = None, limit: float | None = None, cursor: str | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[MarketsHistory]:
        """Model and market price of a contract over time; free once settled. How its price and our probability moved. Tickers: `markets_edge`, `markets_settled`. 0.01 USD.

        :param market: One contract, by its ticker.
        :param event: All contracts of an event, such as a station's day, by the beginning of their tickers.
        :param start: Captures from this time on.
        :param end: Captures before this time.
        :param limit: Rows on this page. Default 200.
        :param cursor: Opaque: `_meta.next_cursor` of the previous page.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return self._call(endpoints["markets_history"], {"market": market, "event": event, "start": start, "end": end, "limit": limit, "cursor": cursor, "fields": fields, "verbose": verbose, "include": include}, idempotency_key)

    def markets_performance(self, *, fields: list[str] | None = None, verbose: bool | None = None) -> Answer[MarketsPerformance]:
        """Scoreboard: Brier scores of model, market and their pool over all settled contracts. Whether the models beat the market, in total and by domain. Free.

        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        """
        return self._call(endpoints["markets_performance"], {"fields": fields, "verbose": verbose}, None)

    def bench_contracts(self, *, domain: Literal["weather", "nfl", "mlb", "crypto"] | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[BenchContracts]:
        """Open contracts that our models price and yours may price too. Lists the tickers that `bench_opinions` takes. Free.

        :param domain: Domain of the contracts. Default "weather".
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return self._call(endpoints["bench_contracts"], {"domain": domain, "fields": fields, "verbose": verbose, "include": include}, idempotency_key)

    def bench_models(self, *, fields: list[str] | None = None, verbose: bool | None = None) -> Answer[BenchModels]:
        """Models of users against ours and the market, on the same settled contracts. The leaderboard of `bench_opinions`. Free.

        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        """
        return self._call(endpoints["bench_models"], {"fields": fields, "verbose": verbose}, None)

    def bench_opinions(self, *, model: str, opinions: list[BenchOpinions], fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[BenchOpinions]:
        """Record your model's probabilities of open contracts, scored beside ours; there is no prize. Enter your own forecasts. Tickers: `bench_contracts`. Free.

        :param model: The model's public name, in lower case; it belongs to the account that used it first.
        :param opinions: On 1 to 100 contracts; all are recorded, or none. At most 1,000 per account and UTC day, from at most 5 models.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return self._call(endpoints["bench_opinions"], {"model": model, "opinions": opinions, "fields": fields, "verbose": verbose, "include": include}, idempotency_key)

    def bench_withdraw(self, *, model: str, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[BenchWithdraw]:
        """Withdraw your model permanently; its scores stay. Ends what `bench_opinions` began. Free.

        :param model: The model's public name, in lower case; it belongs to the account that used it first.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return self._call(endpoints["bench_withdraw"], {"model": model, "fields": fields, "verbose": verbose, "include": include}, idempotency_key)

    def sec_filing(self, *, accession_number: str, diff: bool | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[SecFiling]:
        """Structured summary of a filing with its changes since the prior one.  In development: not charged.

        :param accession_number: Accession number of the filing.
        :param diff: Diff against the prior filing of the same form type. Default true.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return self._call(endpoints["sec_filing"], {"accession_number": accession_number, "diff": diff, "fields": fields, "verbose": verbose, "include": include}, idempotency_key)

    def key(self, *, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[Key]:
        """This key's scopes, limits, caps, monthly spend and rate-limit state.  Free.

        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return self._call(endpoints["key"], {"fields": fields, "verbose": verbose, "include": include}, idempotency_key)

    def wallet(self, *, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[Wallet]:
        """The wallet: balance, the month's spend, open orders and the ways to pay. How much money is left, and how to add some. Free.

        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return self._call(endpoints["wallet"], {"fields": fields, "verbose": verbose, "include": include}, idempotency_key)

    def plan_estimate(self, *, calls: list[PlanEstimate], fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[PlanEstimate]:
        """Cost of a plan of up to 100 calls, and the first call that would fail.  Free.

        :param calls: The calls in order, 1 to 100.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return self._call(endpoints["plan_estimate"], {"calls": calls, "fields": fields, "verbose": verbose, "include": include}, idempotency_key)

    def find(self, *, q: str, limit: float | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[Find]:
        """Find in plain words: cities, teams, games, assets, contracts and endpoints, each with its ready call. Where to begin: ids and the call with its arguments and price, of a question such as `NYC high tomorrow`. Free.

        :param q: What is looked for, in words; a day too, such as `tomorrow` or `29 Nov`.
        :param limit: Most hits. Default 5.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return self._call(endpoints["find"], {"q": q, "limit": limit, "fields": fields, "verbose": verbose, "include": include}, idempotency_key)

    def alerts_create(self, *, call: str, threshold: float | None = None, hysteresis: float | None = None, agent: str | None = None, name: str | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[Alert]:
        """Create an alert on the answers of a call. Each firing is charged as that call. To be told when a report is out, an edge appears or a line moves; firings go to `webhooks_create`. Key: with the scope manage. Free.

        :param call: The call to watch, with its parameters as a query: `/v1/weather/settlement`, `/v1/weather/signal`, `/v1/nfl/fair-line`, `/v1/mlb/fair-odds`, `/v1/markets/edge`.
        :param threshold: Fires at this edge, or after a move by this much: degrees Fahrenheit of the centre of high or low (`/v1/weather/signal`); points of the fair margin or total (`/v1/nfl/fair-line`); probability (`/v1/mlb/fair-odds`); probability; with min_gain US dollars a contract (`/v1/markets/edge`). Leave it out for reports.
        :param hysteresis: For edges: one fires again once it was below the threshold by more than this (default: a fifth of it).
        :param agent: Id or name of the agent whose caps the firings count against.
        :param name: Name of the alert.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return self._call(endpoints["alerts_create"], {"call": call, "threshold": threshold, "hysteresis": hysteresis, "agent": agent, "name": name, "fields": fields, "verbose": verbose, "include": include}, idempotency_key)

    def alerts_delete(self, *, alert: str, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[Deleted]:
        """Delete an alert and revoke its key. Ends what `alerts_create` began. Free.

        :param alert: Alert id.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return self._call(endpoints["alerts_delete"], {"alert": alert, "fields": fields, "verbose": verbose, "include": include}, idempotency_key)

    def alerts_list(self, *, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[AlertList]:
        """List the account's alerts, newest first. Ids for `alerts_delete`, and why an alert is paused. Free.

        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return self._call(endpoints["alerts_list"], {"fields": fields, "verbose": verbose, "include": include}, idempotency_key)

    def webhooks_create(self, *, url: str, events: list[str], fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[NewSecret]:
        """Create a webhook; only this answer shows its secret. Events of the account at your own URL: fired alerts (`alerts_create`), budgets, the wallet. Key: with the scope manage. Free.

        :param url: URL for events: https, with a public address; or mailto: and an address.
        :param events: Event types to send: agent.budget_warning, agent.budget_exceeded, wallet.low, alert.fired, webhook.failing.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return self._call(endpoints["webhooks_create"], {"url": url, "events": events, "fields": fields, "verbose": verbose, "include": include}, idempotency_key)

    def webhooks_delete(self, *, webhook: str, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[Deleted]:
        """Delete a webhook and its secret permanently. Ends what `webhooks_create` began. Free.

        :param webhook: Webhook id.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return self._call(endpoints["webhooks_delete"], {"webhook": webhook, "fields": fields, "verbose": verbose, "include": include}, idempotency_key)

    def webhooks_list(self, *, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[WebhookList]:
        """List the account's webhooks. Ids for `webhooks_delete`, and whether one is paused or disabled. Free.

        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return self._call(endpoints["webhooks_list"], {"fields": fields, "verbose": verbose, "include": include}, idempotency_key)

    def proof_checkpoint(self, *, size: float | None = None, fields: list[str] | None = None, verbose: bool | None = None) -> Answer[ProofCheckpoint]:
        """Signed checkpoint of the record: as a note (text/plain), or in parts (application/json).  Free.

        :param size: Size of the checkpoint, leaves (default: the newest).
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        """
        return self._call(endpoints["proof_checkpoint"], {"size": size, "fields": fields, "verbose": verbose}, None)

    def proof_inclusion(self, *, leaf: str, size: float | None = None, fields: list[str] | None = None, verbose: bool | None = None) -> Answer[ProofInclusion]:
        """Proof that a leaf is in the record.  Free.

        :param leaf: Position, hash in hex, or id. With a key that may read the sealed leaf also the request_id of the call that bought the signal.
        :param size: Size of the tree, leaves (default: the newest checkpoint's).
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        """
        return self._call(endpoints["proof_inclusion"], {"leaf": leaf, "size": size, "fields": fields, "verbose": verbose}, None)

    def proof_consistency(self, *, from_: float, to: float | None = None, fields: list[str] | None = None, verbose: bool | None = None) -> Answer[ProofConsistency]:
        """Proof that the record only grew between two sizes.  Free.

        :param from: Leaves of the smaller tree.
        :param to: Leaves of the larger tree (default: the newest checkpoint's).
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        """
        return self._call(endpoints["proof_consistency"], {"from": from_, "to": to, "fields": fields, "verbose": verbose}, None)


class AsyncMethods:
    def __init__(self, client: Client):
        self._client = client

    async def weather_stations(self, *, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[WeatherStations]:
        """Stations covered, with report product and venue series. The station id of a city, for the other weather tools. Free.

        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return await asyncio.to_thread(lambda: self._client.weather_stations(fields=fields, verbose=verbose, include=include, idempotency_key=idempotency_key))

    async def weather_settlement(self, *, station: Literal["KNYC", "KMDW", "KMIA", "KAUS", "KLAX", "KDEN", "KPHL", "KBOS", "KHOU"], day: str | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[WeatherSettlement]:
        """Official daily climate report of a station, verbatim. How hot, cold or wet a day was; coming days: `weather_signal`. Stations: `weather_stations`. 0.001 USD.

        :param station: Registry station id, as listed by `/v1/weather/stations`.
        :param day: Climate day; omitted: the latest official (final) report.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return await asyncio.to_thread(lambda: self._client.weather_settlement(station=station, day=day, fields=fields, verbose=verbose, include=include, idempotency_key=idempotency_key))

    async def weather_settlement_history(self, *, station: Literal["KNYC", "KMDW", "KMIA", "KAUS", "KLAX", "KDEN", "KPHL", "KBOS", "KHOU"], start: str, end: str, cursor: str | None = None, limit: float | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[WeatherSettlementHistory]:
        """A station's official daily climate reports, up to 400 days per call. Many past days at once; a single day: `weather_settlement`. 0.005 USD.

        :param station: Registry station id, as listed by `/v1/weather/stations`.
        :param start: First climate day.
        :param end: Last climate day, included; at most 400 days per call.
        :param cursor: Opaque: `_meta.next_cursor` of the previous page.
        :param limit: Rows on this page (default: all).
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return await asyncio.to_thread(lambda: self._client.weather_settlement_history(station=station, start=start, end=end, cursor=cursor, limit=limit, fields=fields, verbose=verbose, include=include, idempotency_key=idempotency_key))

    async def weather_forecast(self, *, lat: float, lon: float, hours: float | None = None, hourly: bool | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[WeatherForecast]:
        """Point forecast with active alerts and risk flags. Expected temperature, wind, rain and warnings at any US place; probabilities: `weather_signal`. 0.001 USD.

        :param lat: Decimal degrees; a point in the United States.
        :param lon: Decimal degrees; a point in the United States.
        :param hours: Periods that start within this many hours. Default 48.
        :param hourly: Hourly granularity instead of 12-hour periods. Default false.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return await asyncio.to_thread(lambda: self._client.weather_forecast(lat=lat, lon=lon, hours=hours, hourly=hourly, fields=fields, verbose=verbose, include=include, idempotency_key=idempotency_key))

    async def weather_signal(self, *, station: Literal["KNYC", "KMDW", "KMIA", "KAUS", "KLAX", "KDEN", "KPHL", "KBOS", "KHOU"], target: str | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[WeatherSignal]:
        """Probability distribution of a climate day's official high and low. How likely a temperature (°F) is, today or later; to price a temperature contract. Stations: `weather_stations`. 0.01 USD.

        :param station: Registry station id, as listed by `/v1/weather/stations`.
        :param target: Climate day; default today at the station, up to 6 days ahead.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return await asyncio.to_thread(lambda: self._client.weather_signal(station=station, target=target, fields=fields, verbose=verbose, include=include, idempotency_key=idempotency_key))

    async def weather_performance(self, *, fields: list[str] | None = None, verbose: bool | None = None) -> Answer[WeatherPerformance]:
        """Track record of the temperature distributions as issued, misses included. How well `weather_signal` has been calibrated, by lead and station. Free.

        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        """
        return await asyncio.to_thread(lambda: self._client.weather_performance(fields=fields, verbose=verbose))

    async def nfl_games(self, *, season: float | None = None, week: float | None = None, team: Literal["ARI", "ATL", "BAL", "BUF", "CAR", "CHI", "CIN", "CLE", "DAL", "DEN", "DET", "GB", "HOU", "IND", "JAX", "KC", "LA", "LAC", "LV", "MIA", "MIN", "NE", "NO", "NYG", "NYJ", "PHI", "PIT", "SEA", "SF", "TB", "TEN", "WAS", "LAR", "JAC", "WSH", "OAK", "SD", "STL"] | None = None, cursor: str | None = None, limit: float | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[NflGames]:
        """Football games with results and consensus lines since 1999. Schedule, scores, bookmakers' spread and total. Gives the `game_id` of `nfl_fair_line`. 0.001 USD.

        :param season: Default current season. From 1999 to the current one.
        :param week: Week of the season: regular season and playoffs.
        :param team: Team code: its games, home and away.
        :param cursor: Opaque: `_meta.next_cursor` of the previous page.
        :param limit: Rows on this page (default: all).
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return await asyncio.to_thread(lambda: self._client.nfl_games(season=season, week=week, team=team, cursor=cursor, limit=limit, fields=fields, verbose=verbose, include=include, idempotency_key=idempotency_key))

    async def nfl_qb(self, *, player: str, season: float | None = None, last: float | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[NflQuarterback | NflQuarterbackCandidates]:
        """A quarterback's weekly stats and totals. Passing yards, touchdowns, interceptions of a player by week. 0.002 USD.

        :param player: Name or GSIS id. Part of a name is enough; an exact full name beats partial matches.
        :param season: Only weeks of this season. From 2002 to the current one.
        :param last: The most recent weeks returned. Default 20.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return await asyncio.to_thread(lambda: self._client.nfl_qb(player=player, season=season, last=last, fields=fields, verbose=verbose, include=include, idempotency_key=idempotency_key))

    async def nfl_injuries(self, *, team: Literal["ARI", "ATL", "BAL", "BUF", "CAR", "CHI", "CIN", "CLE", "DAL", "DEN", "DET", "GB", "HOU", "IND", "JAX", "KC", "LA", "LAC", "LV", "MIA", "MIN", "NE", "NO", "NYG", "NYJ", "PHI", "PIT", "SEA", "SF", "TB", "TEN", "WAS", "LAR", "JAC", "WSH", "OAK", "SD", "STL"], season: float | None = None, week: float | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[NflInjuries]:
        """Official injury report and reserve list of a team. Who is hurt, doubtful or out. 0.002 USD.

        :param team: Team code.
        :param season: Default current season, never an earlier one. From 1999 to the current one.
        :param week: Week of the season: regular season and playoffs.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return await asyncio.to_thread(lambda: self._client.nfl_injuries(team=team, season=season, week=week, fields=fields, verbose=verbose, include=include, idempotency_key=idempotency_key))

    async def nfl_top100(self, *, season: float | None = None, cursor: str | None = None, limit: float | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[NflTop100]:
        """Annual Top 100 list as voted by the players. Ranking of the best players of a year. 0.001 USD.

        :param season: Year in which the list was published. Default the latest that is loaded. From 2011 to the current one.
        :param cursor: Opaque: `_meta.next_cursor` of the previous page.
        :param limit: Rows on this page (default: all).
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return await asyncio.to_thread(lambda: self._client.nfl_top100(season=season, cursor=cursor, limit=limit, fields=fields, verbose=verbose, include=include, idempotency_key=idempotency_key))

    async def nfl_fair_line(self, *, game_id: str | None = None, team: Literal["ARI", "ATL", "BAL", "BUF", "CAR", "CHI", "CIN", "CLE", "DAL", "DEN", "DET", "GB", "HOU", "IND", "JAX", "KC", "LA", "LAC", "LV", "MIA", "MIN", "NE", "NO", "NYG", "NYJ", "PHI", "PIT", "SEA", "SF", "TB", "TEN", "WAS", "LAR", "JAC", "WSH", "OAK", "SD", "STL"] | None = None, opponent: Literal["ARI", "ATL", "BAL", "BUF", "CAR", "CHI", "CIN", "CLE", "DAL", "DEN", "DET", "GB", "HOU", "IND", "JAX", "KC", "LA", "LAC", "LV", "MIA", "MIN", "NE", "NO", "NYG", "NYJ", "PHI", "PIT", "SEA", "SF", "TB", "TEN", "WAS", "LAR", "JAC", "WSH", "OAK", "SD", "STL"] | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[NflFairLine]:
        """Model spread, total and win probability of a game, compared with the posted line. Who is favoured, by how many points, against the bookmaker. Ids: `nfl_games`; a team alone is enough. 0.01 USD.

        :param game_id: League-data game id as returned by `/v1/nfl/games`. This or `team` is required.
        :param team: Team code: its next unplayed game. This or `game_id` is required.
        :param opponent: Team code: the next unplayed game of `team` against this opponent.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return await asyncio.to_thread(lambda: self._client.nfl_fair_line(game_id=game_id, team=team, opponent=opponent, fields=fields, verbose=verbose, include=include, idempotency_key=idempotency_key))

    async def nfl_performance(self, *, fields: list[str] | None = None, verbose: bool | None = None) -> Answer[NflPerformance]:
        """Track record of the football fair line, misses included. How accurate `nfl_fair_line` has been. Free.

        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        """
        return await asyncio.to_thread(lambda: self._client.nfl_performance(fields=fields, verbose=verbose))

    async def mlb_games(self, *, date: str | None = None, cursor: str | None = None, limit: float | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[MlbGames]:
        """MLB games of a UTC day, with probable starters. Schedule, scores, starting pitchers. Gives the `game_pk` of `mlb_fair_odds`. 0.001 USD.

        :param date: UTC day of the first pitch, from 1876 to the end of next year; default today.
        :param cursor: Opaque: `_meta.next_cursor` of the previous page.
        :param limit: Rows on this page (default: all).
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return await asyncio.to_thread(lambda: self._client.mlb_games(date=date, cursor=cursor, limit=limit, fields=fields, verbose=verbose, include=include, idempotency_key=idempotency_key))

    async def mlb_fair_odds(self, *, game_pk: float, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[MlbFairOdds]:
        """Model win probability of a baseball game with all inputs exposed. Who will win and how likely. Ids: `mlb_games`. 0.01 USD.

        :param game_pk: `gamePk` as listed by `/v1/mlb/games`.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return await asyncio.to_thread(lambda: self._client.mlb_fair_odds(game_pk=game_pk, fields=fields, verbose=verbose, include=include, idempotency_key=idempotency_key))

    async def mlb_performance(self, *, fields: list[str] | None = None, verbose: bool | None = None) -> Answer[MlbPerformance]:
        """Track record of the baseball fair odds, misses included. How accurate `mlb_fair_odds` has been. Free.

        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        """
        return await asyncio.to_thread(lambda: self._client.mlb_performance(fields=fields, verbose=verbose))

    async def crypto_spot(self, *, asset: Literal["BTC", "ETH"] | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[CryptoSpot]:
        """Spot price and realized volatility from a one-minute tape. What bitcoin or ether costs now, USD; later prices: `crypto_signal`. Free.

        :param asset: The traded asset. Default "BTC".
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return await asyncio.to_thread(lambda: self._client.crypto_spot(asset=asset, fields=fields, verbose=verbose, include=include, idempotency_key=idempotency_key))

    async def crypto_signal(self, *, asset: Literal["BTC", "ETH"] | None = None, horizon_minutes: float | None = None, strikes: list[float] | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[CryptoSignal]:
        """Probability that BTC or ETH is above each strike, 5 minutes to 24 hours ahead. Chance of a later price; to price a strike contract. The price now: `crypto_spot`. 0.01 USD.

        :param asset: The traded asset. Default "BTC".
        :param horizon_minutes: Minutes ahead. Default 60.
        :param strikes: Strikes instead of the default grid of 21 around spot.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return await asyncio.to_thread(lambda: self._client.crypto_signal(asset=asset, horizon_minutes=horizon_minutes, strikes=strikes, fields=fields, verbose=verbose, include=include, idempotency_key=idempotency_key))

    async def crypto_performance(self, *, fields: list[str] | None = None, verbose: bool | None = None) -> Answer[CryptoPerformance]:
        """Track record of the hourly price distributions as issued, misses included. How well `crypto_signal` has been calibrated, by horizon and asset. Free.

        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        """
        return await asyncio.to_thread(lambda: self._client.crypto_performance(fields=fields, verbose=verbose))

    async def markets_edge(self, *, domain: Literal["weather", "nfl", "mlb", "crypto"] | None = None, venue: str | None = None, market: str | None = None, min_edge: float | None = None, min_gain: float | None = None, max_spread: float | None = None, side: Literal["yes", "no"] | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[MarketsEdge]:
        """Live contracts on which model and market differ by 0.05 or more, largest first. Where model and price differ, across weather, sports and crypto; whether a trade is worth it: `expected_gain`. 0.01 USD.

        :param domain: One domain.
        :param venue: One venue.
        :param market: One contract, by its ticker.
        :param min_edge: Smallest |`edge`|; rows below 0.05 are not `actionable`. Default 0.05.
        :param min_gain: Smallest `expected_gain`, dollars per contract; rows with an unknown fee are left out.
        :param max_spread: Largest `spread`, dollars.
        :param side: One side.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return await asyncio.to_thread(lambda: self._client.markets_edge(domain=domain, venue=venue, market=market, min_edge=min_edge, min_gain=min_gain, max_spread=max_spread, side=side, fields=fields, verbose=verbose, include=include, idempotency_key=idempotency_key))

    async def markets_settled(self, *, domain: Literal["weather", "nfl", "mlb", "crypto"] | None = None, limit: float | None = None, before: str | None = None, cursor: str | None = None, fields: list[str] | None = None, verbose: bool | None = None) -> Answer[MarketsSettled]:
        """Settled contracts: model probability, market probability, result. Single past results; totals: `markets_performance`. Free.

        :param domain: Domain of the contracts. Default "crypto".
        :param limit: Rows per page. Rows with the same close time stay together, even if they are more. Default 200.
        :param before: Only rows that closed before this time: `next_before` of the previous page. Pages go backwards in time.
        :param cursor: Opaque: `next_cursor` of the previous page; send the same `domain` and `before`.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        """
        return await asyncio.to_thread(lambda: self._client.markets_settled(domain=domain, limit=limit, before=before, cursor=cursor, fields=fields, verbose=verbose))

    async def markets_history(self, *, market: str | None = None, event: str | None = None, start: str | None = None, end: str | None = None, limit: float | None = None, cursor: str | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[MarketsHistory]:
        """Model and market price of a contract over time; free once settled. How its price and our probability moved. Tickers: `markets_edge`, `markets_settled`. 0.01 USD.

        :param market: One contract, by its ticker.
        :param event: All contracts of an event, such as a station's day, by the beginning of their tickers.
        :param start: Captures from this time on.
        :param end: Captures before this time.
        :param limit: Rows on this page. Default 200.
        :param cursor: Opaque: `_meta.next_cursor` of the previous page.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return await asyncio.to_thread(lambda: self._client.markets_history(market=market, event=event, start=start, end=end, limit=limit, cursor=cursor, fields=fields, verbose=verbose, include=include, idempotency_key=idempotency_key))

    async def markets_performance(self, *, fields: list[str] | None = None, verbose: bool | None = None) -> Answer[MarketsPerformance]:
        """Scoreboard: Brier scores of model, market and their pool over all settled contracts. Whether the models beat the market, in total and by domain. Free.

        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        """
        return await asyncio.to_thread(lambda: self._client.markets_performance(fields=fields, verbose=verbose))

    async def bench_contracts(self, *, domain: Literal["weather", "nfl", "mlb", "crypto"] | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[BenchContracts]:
        """Open contracts that our models price and yours may price too. Lists the tickers that `bench_opinions` takes. Free.

        :param domain: Domain of the contracts. Default "weather".
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return await asyncio.to_thread(lambda: self._client.bench_contracts(domain=domain, fields=fields, verbose=verbose, include=include, idempotency_key=idempotency_key))

    async def bench_models(self, *, fields: list[str] | None = None, verbose: bool | None = None) -> Answer[BenchModels]:
        """Models of users against ours and the market, on the same settled contracts. The leaderboard of `bench_opinions`. Free.

        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        """
        return await asyncio.to_thread(lambda: self._client.bench_models(fields=fields, verbose=verbose))

    async def bench_opinions(self, *, model: str, opinions: list[BenchOpinions], fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[BenchOpinions]:
        """Record your model's probabilities of open contracts, scored beside ours; there is no prize. Enter your own forecasts. Tickers: `bench_contracts`. Free.

        :param model: The model's public name, in lower case; it belongs to the account that used it first.
        :param opinions: On 1 to 100 contracts; all are recorded, or none. At most 1,000 per account and UTC day, from at most 5 models.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return await asyncio.to_thread(lambda: self._client.bench_opinions(model=model, opinions=opinions, fields=fields, verbose=verbose, include=include, idempotency_key=idempotency_key))

    async def bench_withdraw(self, *, model: str, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[BenchWithdraw]:
        """Withdraw your model permanently; its scores stay. Ends what `bench_opinions` began. Free.

        :param model: The model's public name, in lower case; it belongs to the account that used it first.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return await asyncio.to_thread(lambda: self._client.bench_withdraw(model=model, fields=fields, verbose=verbose, include=include, idempotency_key=idempotency_key))

    async def sec_filing(self, *, accession_number: str, diff: bool | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[SecFiling]:
        """Structured summary of a filing with its changes since the prior one.  In development: not charged.

        :param accession_number: Accession number of the filing.
        :param diff: Diff against the prior filing of the same form type. Default true.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return await asyncio.to_thread(lambda: self._client.sec_filing(accession_number=accession_number, diff=diff, fields=fields, verbose=verbose, include=include, idempotency_key=idempotency_key))

    async def key(self, *, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[Key]:
        """This key's scopes, limits, caps, monthly spend and rate-limit state.  Free.

        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return await asyncio.to_thread(lambda: self._client.key(fields=fields, verbose=verbose, include=include, idempotency_key=idempotency_key))

    async def wallet(self, *, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[Wallet]:
        """The wallet: balance, the month's spend, open orders and the ways to pay. How much money is left, and how to add some. Free.

        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return await asyncio.to_thread(lambda: self._client.wallet(fields=fields, verbose=verbose, include=include, idempotency_key=idempotency_key))

    async def plan_estimate(self, *, calls: list[PlanEstimate], fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[PlanEstimate]:
        """Cost of a plan of up to 100 calls, and the first call that would fail.  Free.

        :param calls: The calls in order, 1 to 100.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return await asyncio.to_thread(lambda: self._client.plan_estimate(calls=calls, fields=fields, verbose=verbose, include=include, idempotency_key=idempotency_key))

    async def find(self, *, q: str, limit: float | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[Find]:
        """Find in plain words: cities, teams, games, assets, contracts and endpoints, each with its ready call. Where to begin: ids and the call with its arguments and price, of a question such as `NYC high tomorrow`. Free.

        :param q: What is looked for, in words; a day too, such as `tomorrow` or `29 Nov`.
        :param limit: Most hits. Default 5.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return await asyncio.to_thread(lambda: self._client.find(q=q, limit=limit, fields=fields, verbose=verbose, include=include, idempotency_key=idempotency_key))

    async def alerts_create(self, *, call: str, threshold: float | None = None, hysteresis: float | None = None, agent: str | None = None, name: str | None = None, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[Alert]:
        """Create an alert on the answers of a call. Each firing is charged as that call. To be told when a report is out, an edge appears or a line moves; firings go to `webhooks_create`. Key: with the scope manage. Free.

        :param call: The call to watch, with its parameters as a query: `/v1/weather/settlement`, `/v1/weather/signal`, `/v1/nfl/fair-line`, `/v1/mlb/fair-odds`, `/v1/markets/edge`.
        :param threshold: Fires at this edge, or after a move by this much: degrees Fahrenheit of the centre of high or low (`/v1/weather/signal`); points of the fair margin or total (`/v1/nfl/fair-line`); probability (`/v1/mlb/fair-odds`); probability; with min_gain US dollars a contract (`/v1/markets/edge`). Leave it out for reports.
        :param hysteresis: For edges: one fires again once it was below the threshold by more than this (default: a fifth of it).
        :param agent: Id or name of the agent whose caps the firings count against.
        :param name: Name of the alert.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return await asyncio.to_thread(lambda: self._client.alerts_create(call=call, threshold=threshold, hysteresis=hysteresis, agent=agent, name=name, fields=fields, verbose=verbose, include=include, idempotency_key=idempotency_key))

    async def alerts_delete(self, *, alert: str, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[Deleted]:
        """Delete an alert and revoke its key. Ends what `alerts_create` began. Free.

        :param alert: Alert id.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return await asyncio.to_thread(lambda: self._client.alerts_delete(alert=alert, fields=fields, verbose=verbose, include=include, idempotency_key=idempotency_key))

    async def alerts_list(self, *, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[AlertList]:
        """List the account's alerts, newest first. Ids for `alerts_delete`, and why an alert is paused. Free.

        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return await asyncio.to_thread(lambda: self._client.alerts_list(fields=fields, verbose=verbose, include=include, idempotency_key=idempotency_key))

    async def webhooks_create(self, *, url: str, events: list[str], fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[NewSecret]:
        """Create a webhook; only this answer shows its secret. Events of the account at your own URL: fired alerts (`alerts_create`), budgets, the wallet. Key: with the scope manage. Free.

        :param url: URL for events: https, with a public address; or mailto: and an address.
        :param events: Event types to send: agent.budget_warning, agent.budget_exceeded, wallet.low, alert.fired, webhook.failing.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return await asyncio.to_thread(lambda: self._client.webhooks_create(url=url, events=events, fields=fields, verbose=verbose, include=include, idempotency_key=idempotency_key))

    async def webhooks_delete(self, *, webhook: str, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[Deleted]:
        """Delete a webhook and its secret permanently. Ends what `webhooks_create` began. Free.

        :param webhook: Webhook id.
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return await asyncio.to_thread(lambda: self._client.webhooks_delete(webhook=webhook, fields=fields, verbose=verbose, include=include, idempotency_key=idempotency_key))

    async def webhooks_list(self, *, fields: list[str] | None = None, verbose: bool | None = None, include: list[Literal["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]] | None = None, idempotency_key: str | None = None) -> Answer[WebhookList]:
        """List the account's webhooks. Ids for `webhooks_delete`, and whether one is paused or disabled. Free.

        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        :param include: Envelope fields to add.
        """
        return await asyncio.to_thread(lambda: self._client.webhooks_list(fields=fields, verbose=verbose, include=include, idempotency_key=idempotency_key))

    async def proof_checkpoint(self, *, size: float | None = None, fields: list[str] | None = None, verbose: bool | None = None) -> Answer[ProofCheckpoint]:
        """Signed checkpoint of the record: as a note (text/plain), or in parts (application/json).  Free.

        :param size: Size of the checkpoint, leaves (default: the newest).
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        """
        return await asyncio.to_thread(lambda: self._client.proof_checkpoint(size=size, fields=fields, verbose=verbose))

    async def proof_inclusion(self, *, leaf: str, size: float | None = None, fields: list[str] | None = None, verbose: bool | None = None) -> Answer[ProofInclusion]:
        """Proof that a leaf is in the record.  Free.

        :param leaf: Position, hash in hex, or id. With a key that may read the sealed leaf also the request_id of the call that bought the signal.
        :param size: Size of the tree, leaves (default: the newest checkpoint's).
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        """
        return await asyncio.to_thread(lambda: self._client.proof_inclusion(leaf=leaf, size=size, fields=fields, verbose=verbose))

    async def proof_consistency(self, *, from_: float, to: float | None = None, fields: list[str] | None = None, verbose: bool | None = None) -> Answer[ProofConsistency]:
        """Proof that the record only grew between two sizes.  Free.

        :param from: Leaves of the smaller tree.
        :param to: Leaves of the larger tree (default: the newest checkpoint's).
        :param fields: Only these fields: dotted paths in `results`; `*` is all.
        :param verbose: All fields, with provenance and flags. Default false.
        """
        return await asyncio.to_thread(lambda: self._client.proof_consistency(from_=from_, to=to, fields=fields, verbose=verbose))
