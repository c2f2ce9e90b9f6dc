"""Words of one meaning in the field of skills: one group a line."""

from typing import Final

GROUPS: Final = """
image picture photo pic graphic illustration artwork
screenshot screengrab snapshot
video clip movie film footage animation
audio sound podcast voice speech spoken
slides deck presentation powerpoint pptx keynote talk
spreadsheet excel xlsx csv sheet workbook
document docx word file
docs documentation readme manual handbook
diagram chart figure plot graph visualization visualize draw
kubernetes k8s kubectl helm cluster
aws amazon
gcp googlecloud
database db sql postgres postgresql mysql sqlite table query
schema migration
pr pullrequest mergerequest mr
review reviewer critique feedback audit inspect assess
comment remark feedback
bug defect crash error failure issue fault broken
fix repair resolve solve correct
debug troubleshoot diagnose diagnosis investigate rootcause
test unittest spec coverage
tdd testdriven testfirst
flaky random intermittent unreliable
refactor restructure simplify simplification cleanup clean tidy plainer readability
duplicate duplication repetition repeated redundant
deadcode unused orphan unreferenced unreachable
performance slow fast speed quick quicker quickly latency optimize optimization bottleneck profiling
security secure vulnerability exploit attack pentest hardening
login signin auth authentication authenticate oauth passkey sso
permission role rbac authorization access
password secret credential vault key
deploy deployment release rollout ship publish production golive
rollback revert undo
ci cicd pipeline githubactions workflow
branch worktree checkout
changelog releasenotes
log logger
monitor observability metrics alert alarm dashboard telemetry trace
cpu processor
ram memory
gpu graphicscard cuda
machine server computer laptop host system
config configuration configure settings option environment env
api endpoint rest route interface
website site webpage page web
landingpage homepage hero
frontend ui interface screen
ux usability userexperience
css style stylesheet tailwind
color colour palette theme
button component widget
mobile phone smartphone ios android iphone ipad
iphone ios swift swiftui
mac macos apple osx
accessibility a11y wcag screenreader
seo searchengine google ranking keyword
geo aisearch chatgpt perplexity
marketing campaign ads ad advertising advert promotion
sell sales crm lead prospect
conversion signup cro
customer client buyer
email mail inbox gmail outlook newsletter
message sms text chat
calendar schedule appointment meeting event
meeting minutes transcript notes
note notebook
todo task reminder checklist
remember memory recall memorize
travel trip itinerary vacation holiday flight hotel
train bus transit transport departure
restaurant dinner food meal recipe cooking
fitness workout gym exercise training
sleep health wellness recovery
habit routine streak
money payment pay paid
invoice bill receipt
accounting bookkeeping finance financial
budget cost spending expense price
stock shares equity
crypto bitcoin cryptocurrency ethereum blockchain web3 token
trade trader bet
job career hiring recruit recruitment candidate interview employee
cv resume
legal law contract lawyer agreement
paper article preprint publication manuscript literature
cite citation reference source bibliography
research study investigate lookup findout
news headlines
search find lookup retrieve
scrape scraper crawl crawler extract collect
browser chrome playwright puppeteer
summary summarize summarise summarization digest recap overview
translate translation translator localization i18n language
write writer draft author compose rewrite
edit proofread revise copyedit improve
blog article post
tone voice style brand
story fiction novel scene narrative
userstory acceptancecriteria backlog
requirement prd specification spec
roadmap prioritize prioritization rank
plan planner
brainstorm ideas ideation
think reasoning questions socratic
decide decision choose choice adr
architecture architect architectural systemdesign structure
microservice distributed scalable scale
queue kafka messagebroker
cache redis
container docker dockerfile containerize image
terraform iac infrastructure opentofu
serverless lambda function
dns domain
certificate ssl tls https letsencrypt
network firewall vpn
backup restore recovery export
outage incident oncall runbook postmortem recovery
ml machinelearning classifier model training
llm languagemodel gpt claude gemini openai
finetune lora sft training
prompt instructions
rag retrieval embedding vector
agent subagent multiagent
parallel concurrent simultaneously sidebyside
mcp modelcontextprotocol
python py
javascript js
typescript ts
golang go
rust cargo
csharp dotnet aspnet
cpp c++
rails ruby
laravel php
nextjs react
react jsx
vue nuxt
flutter dart
game unity godot
music song spotify playlist
youtube video
twitter tweet x
social socialmedia linkedin instagram facebook
convert conversion converter transform turn port
upgrade migrate migration move
install installation setup
generate generator create creation scaffold build
explain explanation explainer teach tutorial learn walkthrough onboarding
compare comparison diff difference
check verify validate validation verification
analyze analyse analysis analytics evaluate evaluation assess
data dataset dataframe pandas
statistics statistical stats
genome genomics genetic gene dna sequencing variant
protein molecule chemistry drug
patient clinical medical health
student teacher course lesson education
shop ecommerce store shopify magento
buy purchase order
warehouse logistics inventory supplychain fulfillment
weather forecast
home smarthome light
car vehicle automotive
map location geolocation gps
time timezone clock
joke fun funny
logo icon favicon
font typography
cli terminal commandline shell bash
regex pattern
lint linter eslint formatting formatter
dependency package library
legacy cobol modernization modernize
feature featureflag toggle killswitch
experiment abtest
internet online web
form questionnaire survey
bookmark readlater
people person contact
"""
